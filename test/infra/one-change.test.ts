import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jobsFolder, jobText, writeJob } from '../support/jobs-folder.ts';
import { synthesise } from './synthesised.ts';

const stage = 'prod';
const files = {
  'billing/send-invoices.ts': jobText({ run: 'return 1;' }),
  'reports/daily.ts': jobText({ run: 'return 2;' }),
  'reports/weekly.ts': jobText({ run: 'return 3;' }),
};

/** Every line of every template, as `stack.resource.property: value`. */
async function synthesisedLines(jobsDir: string): Promise<Map<string, string>> {
  const { dir, dispose } = await synthesise(stage, jobsDir);
  onTestFinished(dispose);
  const templates = readdirSync(dir).filter((file) => file.endsWith('.template.json'));
  expect(templates.length).toBeGreaterThan(2);
  const lines = templates.flatMap((file) =>
    leaves(file, JSON.parse(readFileSync(path.join(dir, file), 'utf8'))),
  );
  return new Map(lines);
}

function leaves(place: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[place, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(`${place}.${key}`, inner));
}

/** Whose lines differ, as `<stack>.Resources.<resource>.Properties.<property>…`, without what is hashed. */
async function changedBy(edit: (jobsDir: string) => void): Promise<string[]> {
  const jobsDir = jobsFolder(files);
  const before = await synthesisedLines(jobsDir);
  edit(jobsDir);
  const after = await synthesisedLines(jobsDir);
  const places = [...new Set([...before.keys(), ...after.keys()])];
  return places
    .filter((place) => before.get(place) !== after.get(place))
    .map((place) => place.replace(/^\w+\.template\.json\.Resources\.(\w+?)[0-9A-F]{8}\.Properties\./, '$1 '));
}

test('editing the code of one job changes the code of its function, and nothing else in any template', async () => {
  const changed = await changedBy((jobsDir) =>
    writeJob(jobsDir, 'reports/daily.ts', jobText({ run: 'return 22;' })),
  );
  expect(changed).toEqual(['reportsdailyJobFunction Code.S3Key']);
});

test('editing its schedule changes its alarm besides, and what the reconciler knows of it', async () => {
  const changed = await changedBy((jobsDir) =>
    writeJob(jobsDir, 'reports/daily.ts', files['reports/daily.ts'].replace('5 minutes', '10 minutes')),
  );
  expect(changed.sort()).toEqual([
    'ReconcilerSweeperFunction Code.S3Key',
    'reportsdailyAlarm1 ScheduleExpression',
    'reportsdailyJobFunction Code.S3Key',
  ]);
});
