import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of job files outside the package, until the test is over. */
export function jobsFolder(files: Readonly<Record<string, string>>): string {
  const dir = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeJob(dir, name, text);
  return dir;
}

export function writeJob(dir: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
  writeFileSync(path.join(dir, name), text);
}

export function temporaryFolder(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'fireledger-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The text of a job file. `before` stands above the job, `more` among its options. */
export function jobText({ before = '', more = '', run = '' } = {}): string {
  return `
import { defineJob, every } from '#job';
${before}
export default defineJob({
  description: 'A job of a test',
  schedule: every('5 minutes'),
  missed: 'latest',
  crashed: 'rerun',
  ${more}
  async run(fire, ctx) { ${run} },
});
`;
}
