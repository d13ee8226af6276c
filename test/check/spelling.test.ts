import { describe, expect, it } from 'vitest';
import { spelling } from './spelling.ts';
import { brokenRules } from './text-rules.ts';

const wrongIn = (text: string) => brokenRules([{ path: 'README.md', text }], spelling);

describe('a word of the project in another spelling is refused', () => {
  it.each([
    'it was cancelled',
    'while cancelling it',
    'isCancelled',
    'a back-fill of fires',
    'it backfiled them',
    'the catchup policy',
    'runCatchup()',
    'after a time-out',
    're-run it',
    'it re-tries',
    'fire_time',
    'const firetime = 1',
    'job_id',
    'jobID',
    'a cron job',
    'Scheduled tasks',
    'a CloudWatch alarm',
  ])('%s', (text) => {
    expect(wrongIn(text)).toHaveLength(1);
  });
});

describe('the right spelling, and what others are called, is not', () => {
  it.each([
    'canceled, canceling, cancellation',
    'TransactionCanceledException: Transaction cancelled, please refer cancellation reasons',
    'backfill, backfilled, catch-up, catchUp',
    'timeout, rerun, retry, fireTime, jobId',
    "Kubernetes has a CronJob; CloudWatch's alarms are alerts",
  ])('%s', (text) => {
    expect(wrongIn(text)).toEqual([]);
  });
});
