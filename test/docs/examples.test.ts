import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadCatalog } from '../../functions/catalog/index.ts';
import { complaintsOf, lintErrors, typeErrors } from '../check/command.ts';
import { jobsFolder, writeJob } from '../support/jobs-folder.ts';
import { strictProject } from '../support/strict-project.ts';
import { codeBlocks, read, root } from './documents.ts';

const [job = '', pools = '', rebuild = '', payroll = '', ...itsTests] = codeBlocks(read('README.md'), 'ts');

/** The path that an example names in its first line. */
function fileOf(code: string): string {
  return /^\/\/ (\S+)$/m.exec(code)?.[1] ?? '';
}

test('the README’s job loads without a problem or a warning, under the id of its path', async () => {
  const folder = 'functions/jobs/';
  expect(fileOf(job).startsWith(folder)).toBe(true);
  const jobsDir = jobsFolder({ [fileOf(job).slice(folder.length)]: job });
  const { manifest, warnings } = await loadCatalog({ jobsDir });
  expect(warnings).toEqual([]);
  expect(manifest.jobs).toMatchObject([
    { id: 'billing/close-month', missed: { policy: 'all' }, crashed: 'park' },
  ]);
});

test('the README’s pools load, beside the jobs', async () => {
  expect(fileOf(pools)).toBe('functions/pools.ts');
  const dir = jobsFolder({ [fileOf(job)]: job, [fileOf(pools)]: pools });
  const { manifest } = await loadCatalog({ jobsDir: path.join(dir, 'functions/jobs') });
  expect(manifest.pools).toMatchObject({ 'reports-db': { capacity: 3 } });
});

test('the README’s jobs that go on half-way load as well, without a problem or a warning', async () => {
  const folder = 'functions/jobs/';
  const files = [payroll, rebuild].map((code) => [fileOf(code).slice(folder.length), code]);
  const { manifest, warnings } = await loadCatalog({ jobsDir: jobsFolder(Object.fromEntries(files)) });
  expect(warnings).toEqual([]);
  expect(manifest.jobs).toMatchObject([
    { id: 'payroll/pay-salaries', crashed: 'resume' },
    { id: 'search/rebuild-index', crashed: 'resume', retry: { attempts: 4 }, pauseAfter: 3 },
  ]);
});

test('the README’s jobs, pools and tests pass types, lint, and each other', { timeout: 60_000 }, async () => {
  const files: Record<string, string> = {
    ...{ 'close-month.ts': job, 'pools.ts': pools },
    ...{ 'pay-salaries.ts': payroll, 'rebuild-index.ts': rebuild },
  };
  for (const itsTest of itsTests) {
    const [, its = ''] = /from '[./]+\/(functions\/jobs\/\S+)'/.exec(itsTest) ?? [];
    expect([fileOf(job), fileOf(payroll)]).toContain(its);
    expect(path.dirname(fileOf(itsTest))).toBe(path.dirname(its).replace('functions', 'test'));
    const beside = itsTest.replace(/'[./]+\/functions\/jobs\/\w+\//, "'./");
    files[path.basename(fileOf(itsTest))] = beside;
  }
  expect(Object.keys(files)).toHaveLength(7);
  const dir = strictProject(files, 'pools.ts');
  const alias = { '#job': 'functions/job.ts', '#testing': 'functions/testing/index.ts' };
  const absolute = Object.entries(alias).map(([name, file]) => [name, path.join(root, file)]);
  const config = { resolve: { alias: Object.fromEntries(absolute) } };
  writeJob(dir, 'vitest.config.js', `export default ${JSON.stringify(config)};\n`);
  symlinkSync(path.join(root, 'node_modules'), path.join(dir, 'node_modules'));

  expect(await typeErrors(dir)).toEqual([]);
  expect((await lintErrors(dir)).filter((line) => /close-month|pay-salaries|pools/.test(line))).toEqual([]);
  expect(await complaintsOf('vitest', ['run', '--root', dir], dir)).toEqual([]);
});
