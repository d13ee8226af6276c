import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { afterAll, expect, test } from 'vitest';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { JobsStack } from '../../infra/stacks/jobs-stack.ts';
import { stageNamed } from '../../infra/stage.ts';
import { emptyBundle } from './synthesised.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'fireledger-room-'));
const bundle = { dir: emptyBundle(dir) };
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function job(id: string): JobEntry {
  return {
    id,
    file: `${id}.ts`,
    description: 'One of many',
    spec: { schedules: [cron('0 3 * * *')], timezone: 'UTC' },
    specId: 'a',
    missed: { policy: 'all', limit: 100, maxAgeMs: 604_800_000, ratePerMinute: 10 },
    crashed: 'rerun',
    overlap: 'skip',
    timeoutMs: 60_000,
    graceMs: 180_000,
    memoryMb: 256,
    environment: {},
  };
}

function warningsOf(count: number): string[] {
  const jobs = Array.from({ length: count }, (_, index) => job(`many/job-${index}`));
  const bundles = Object.fromEntries(jobs.map(({ id }) => [id, bundle]));
  const app = new App({ outdir: path.join(dir, `out-${count}`) });
  const stack = new JobsStack(app, { stage: stageNamed('dev'), jobs, bundles });
  return stack.node.metadata.filter(({ type }) => type === 'aws:cdk:warning').map(({ data }) => String(data));
}

test('a job with one alarm is five resources; from 401 of the 500 that CloudFormation allows there is a warning', () => {
  expect(warningsOf(80)).toEqual([]);
  expect(warningsOf(81)).toEqual([
    expect.stringContaining(
      'fireledger-dev-jobs has 405 resources for 81 jobs, and CloudFormation allows 500 in a stack.',
    ),
  ]);
});

test('more than CloudFormation allows are refused before anything is written', () => {
  expect(() => warningsOf(101)).toThrow(
    /^fireledger-dev-jobs has 505 resources for 101 jobs, .* Give jobs that this stage can do without a 'stages' list/,
  );
});
