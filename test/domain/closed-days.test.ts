import { describe, expect, test } from 'vitest';
import {
  type ClosedDay,
  type DayVerdict,
  judgeDay,
  mayHaveDays,
  nextDayOf,
  openDaysOf,
} from '../../functions/domain/closed-days/index.ts';
import type { JobState, SpecVersion } from '../../functions/domain/job-state.ts';
import type { Attempt, Run } from '../../functions/domain/run.ts';
import { every } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { settledOf } from '../../functions/domain/watermark.ts';
import { jobState, manifestJob } from '../support/jobs.ts';
import { record } from '../support/ledger-records.ts';

const first = Date.parse('2026-11-30T00:00:00Z');
const jobId = 'billing/send-invoices';
const ref = { jobId, day: first };
const sixHourly: SpecVersion = {
  ...{ jobId, from: first - 30 * day, specId: 'spec-1' },
  spec: { schedules: [every('6 hours')], timezone: 'UTC' },
};

function attempt(number: number, startedAt: number, more: Partial<Attempt> = {}): Attempt {
  const [token, requestId] = [`token-${number}`, `request-${number}`];
  const ended = { settledAt: startedAt + minute, outcome: 'succeeded' } as const;
  return { number, token, requestId, pid: 1, startedAt, leaseUntil: startedAt + hour, ...ended, ...more };
}

function succeeded(hours: number, more: Partial<Run> = {}): Run {
  const at = first + hours * hour;
  return record(at, { state: 'succeeded', attempts: [attempt(1, at + 2_000)], ...more });
}

const four = [0, 6, 12, 18].map((hours) => succeeded(hours));

function judge(runs: readonly Run[], before: ClosedDay | null = null): DayVerdict {
  return judgeDay(ref, { versions: [sixHourly], runs, before });
}

function closed(...of: Parameters<typeof judge>): ClosedDay {
  const verdict = judge(...of);
  if (verdict.kind !== 'closed') throw new Error(`The day is ${verdict.kind}.`);
  return verdict.closed;
}

describe('a day', () => {
  test('is closed once each due fire has its record and each record is terminal', () => {
    const { counts, runs } = closed(four);
    expect(counts).toMatchObject({ expected: 4, recorded: 4, manual: 0, extra: [], doubleRuns: 0 });
    expect(counts.states).toMatchObject({ succeeded: 4, failed: 0 });
    expect(runs.map(({ key }) => key)).toEqual(four.map(({ key }) => key));
    expect(runs[0]).toMatchObject({ startedAt: first + 2_000, endedAt: first + 2_000 + minute, attempts: 1 });
  });

  test.each(['offered', 'waiting', 'running', 'retrying', 'parked'] as const)(
    'is not closed while a run of it is %s',
    (state) => expect(judge([...four.slice(1), succeeded(0, { state })]).kind).toBe('unfinished'),
  );

  test('is not closed while a due fire has no record', () => {
    expect(judge(four.slice(1)).kind).toBe('incomplete');
    expect(judge([]).kind).toBe('incomplete');
  });

  test('is closed for a job that was due at no time of it', () => {
    expect(judgeDay(ref, { versions: [], runs: [] })).toMatchObject({
      kind: 'closed',
      closed: { runs: [], counts: { expected: 0, recorded: 0 } },
    });
  });

  test('counts what a person started, what nobody asked for, and what ran twice', () => {
    const manual = succeeded(1, { key: '2026-11-30T01:00:00Z~manual-a1', trigger: 'manual' });
    const stray = succeeded(2, { duplicates: 3 });
    const twice = [attempt(1, first + 18 * hour), attempt(2, first + 18 * hour + 1_000)];
    const { counts } = closed([...four.slice(0, 3), succeeded(18, { attempts: twice }), manual, stray]);
    expect(counts).toMatchObject({ expected: 4, recorded: 4, manual: 1, duplicates: 3, doubleRuns: 1 });
    expect(counts.extra).toEqual(['2026-11-30T02:00:00Z']);
  });

  test('says when its runs held what they took of pools, in each of their attempts', () => {
    const failed = { outcome: 'failed', settledAt: first + 2 * minute } as const;
    const attempts = [attempt(1, first + minute, failed), attempt(2, first + hour)];
    const holds = { 'billing-db': 2 };
    const [run] = closed([succeeded(0, { attempts, holds, createdAt: first }), ...four.slice(1)]).runs;
    expect(run).toMatchObject({ startedAt: first + minute, lastStartedAt: first + hour });
    expect(run?.held).toEqual({
      weights: holds,
      stays: [
        { from: first, until: first + 2 * minute },
        { from: first + hour, until: first + hour + minute },
      ],
    });
  });

  test('that is closed anew keeps what it said of runs whose records have expired', () => {
    const before = closed(four);
    const again = succeeded(6, { state: 'failed', reason: 'error' });
    const anew = closed([again], before);
    expect(anew.counts).toMatchObject({ expected: 4, recorded: 4 });
    expect(anew.counts.states).toMatchObject({ succeeded: 3, failed: 1 });
    expect(anew.runs.map(({ key }) => key)).toEqual(before.runs.map(({ key }) => key));
  });
});

describe('which day is next', () => {
  const job = manifestJob();
  const state = (more: Partial<JobState> = {}) => jobState(job, { specSince: first, ...more });
  const settledAt = (instant: number, of = state(), since = first) =>
    nextDayOf({ state: of, settled: instant }, since);

  test('the job’s first one, an hour after its end', () => {
    const due = first + day + hour;
    expect(settledAt(due - 1, state(), first + 5 * hour)).toBeNull();
    expect(settledAt(due, state(), first + 5 * hour)).toBe(first);
  });

  test('of a job that is older than days are closed, one of ninety days ago', () => {
    expect(settledAt(first + hour, state(), first - 400 * day)).toBe(first - 90 * day);
  });

  test('then one after the other', () => {
    const after = state({ closedUntil: first });
    expect(settledAt(first + 7 * day, after, first - 400 * day)).toBe(first);
    expect(settledAt(first + day, after)).toBeNull();
  });

  test('none after the day on which the job was removed', () => {
    const { specId: _gone, ...removed } = state({ specSince: first + 5 * hour, specChanged: true });
    expect(settledAt(first + 7 * day, { ...removed, closedUntil: first })).toBe(first);
    expect(settledAt(first + 7 * day, { ...removed, closedUntil: first + day })).toBeNull();
  });

  test('and besides those that were left open, once they are settled', () => {
    const openDays = [first - 3 * day, first - day, first];
    const of = (closedUntil?: number) => ({
      state: state({ openDays, ...(closedUntil !== undefined && { closedUntil }) }),
      settled: first + hour,
    });
    expect(openDaysOf(of(first + day))).toEqual([first - 3 * day, first - day]);
    expect(openDaysOf(of(first - day))).toEqual([first - 3 * day]);
    expect(openDaysOf(of())).toEqual([]);
  });

  test('and nothing is asked for where none can be due', () => {
    const settled = first + day + hour;
    expect(mayHaveDays({ state: state(), settled: settled - 1 })).toBe(false);
    expect(mayHaveDays({ state: state(), settled })).toBe(true);
    expect(mayHaveDays({ state: state({ closedUntil: first + day }), settled })).toBe(false);
    const open = state({ closedUntil: first + day, openDays: [first] });
    expect(mayHaveDays({ state: open, settled })).toBe(true);
  });
});

test('a job whose schedule can’t be worked out holds up its own days alone', () => {
  const mark = { top: 9, gaps: [{ from: 7, to: 8 }], aside: { broken: { from: 2, to: 9 } } };
  expect(settledOf('fine', mark)).toBe(7);
  expect(settledOf('broken', mark)).toBe(2);
  expect(settledOf('fine', { top: 9, gaps: [] })).toBe(9);
});
