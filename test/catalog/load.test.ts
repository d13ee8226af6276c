import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../functions/catalog/load.ts';
import { CatalogError, type Problem } from '../../functions/catalog/problem.ts';
import { ConfigError, stages } from '../../functions/config.ts';
import { jobsFolder, jobText, writeJob } from '../support/jobs-folder.ts';

const good = jobText();

/** What a person reads when the folder is refused. */
async function refusal(jobsDir: string): Promise<string> {
  const error = await loadCatalog({ jobsDir }).catch((thrown: unknown) => thrown);
  if (!(error instanceof CatalogError)) throw new Error(`not refused: ${error}`);
  return error.message.replaceAll(jobsDir, 'JOBS');
}

describe('which files are jobs', () => {
  it('every .ts, .js and .mjs file, however deep; its id is its path without the ending', async () => {
    const jobsDir = jobsFolder({
      'top.ts': good,
      'billing/send-invoices.js': good,
      'billing/eu/reconcile.mjs': good,
    });
    const { manifest, jobs } = await loadCatalog({ jobsDir });
    expect(manifest.jobs.map(({ id, file }) => `${id} ${file}`)).toEqual([
      'billing/eu/reconcile billing/eu/reconcile.mjs',
      'billing/send-invoices billing/send-invoices.js',
      'top top.ts',
    ]);
    expect(jobs.map(({ entry }) => entry)).toEqual(manifest.jobs);
    expect(jobs[0]?.options.run).toBeTypeOf('function');
  });

  it('not what begins with _ or ., tests, type declarations, installed packages', async () => {
    const broken = 'throw new Error("is loaded")';
    const jobsDir = jobsFolder({
      'one.ts': good,
      '_shared.ts': broken,
      '_lib/shared.ts': broken,
      '.cache/one.ts': broken,
      'one.test.ts': broken,
      'types.d.ts': broken,
      'node_modules/dep/index.js': broken,
      'README.md': broken,
    });
    expect((await loadCatalog({ jobsDir })).manifest.jobs.map(({ id }) => id)).toEqual(['one']);
  });

  it('one with another code ending is left out with a warning', async () => {
    const { warnings, manifest } = await loadCatalog({
      jobsDir: jobsFolder({ 'one.ts': good, 'two.mts': good, '\u001b[2Jthree.mts': good }),
    });
    expect(manifest.jobs).toHaveLength(1);
    expect(warnings).toMatchInlineSnapshot(`
      [
        "\\u{1b}[2Jthree.mts: is not read: a job file ends in .ts, .js or .mjs",
        "two.mts: is not read: a job file ends in .ts, .js or .mjs",
      ]
    `);
  });

  it('a folder without any is a warning', async () => {
    const jobsDir = jobsFolder({});
    const { warnings } = await loadCatalog({ jobsDir });
    expect(warnings.map((warning) => warning.replace(jobsDir, 'JOBS'))).toMatchInlineSnapshot(`
      [
        "there is no job file under JOBS",
      ]
    `);
  });

  it('a folder that is not there is refused', async () => {
    expect(await refusal(path.join(jobsFolder({}), 'no-such'))).toMatchInlineSnapshot(`
      "1 problem under JOBS

      the folder
        - the jobs folder can't be read: ENOENT: no such file or directory, scandir 'JOBS'"
    `);
  });
});

describe('a job file may import', () => {
  it('#job, #pools, its neighbours and what the package has installed, from any folder', async () => {
    const jobsDir = jobsFolder({
      '_shared.ts': 'export const seconds: number = 90;',
      'one.ts': jobText({
        before: `
          import pools from '#pools';
          import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
          import { readFile } from 'node:fs/promises';
          import { seconds } from './_shared.ts';
          const used = [pools, DynamoDBClient, readFile];`,
        more: `timeout: \`\${seconds} seconds\`, environment: { USED: String(used.length) },`,
      }),
    });
    const [job] = (await loadCatalog({ jobsDir })).manifest.jobs;
    expect(job).toMatchObject({ timeoutMs: 90_000, environment: { USED: '3' } });
  });

  it('packages installed beside it before those of this package', async () => {
    const jobsDir = jobsFolder({
      'one.ts': jobText({
        before: `import version from 'picocolors'; import only from 'only-import';`,
        more: 'environment: { VERSION: version, ONLY: only },',
      }),
      'node_modules/picocolors/index.js': `module.exports = 'their own';`,
      'node_modules/only-import/package.json': `{"type":"module","exports":{"import":"./index.js"}}`,
      'node_modules/only-import/index.js': `export default 'made for import alone';`,
    });
    const [job] = (await loadCatalog({ jobsDir })).manifest.jobs;
    expect(job?.environment).toEqual({ VERSION: 'their own', ONLY: 'made for import alone' });
  });
});

describe('a bad file is named, and hides no other', () => {
  const bad = {
    'unknown-option.ts': jobText({ more: `crashd: 'rerun',` }),
    'throws.ts': jobText({
      before: `const url: string = need();\nfunction need() { throw new TypeError('no BANK_URL'); }`,
    }),
    'exits.ts': jobText({ before: 'process.exit(0);' }),
    'throws-nothing.ts': jobText({ before: 'throw null;' }),
    'syntax.ts': 'export default defineJob({{',
    'no-package.ts': jobText({ before: `import x from 'left-pad-of-yore';\nconsole.log(x);` }),
    'no-neighbour.ts': jobText({ before: `import './_gone.ts';` }),
    'awaits.ts': jobText({ before: 'await Promise.resolve();' }),
    '_broken.ts': 'export const broken = ;',
    'neighbour-broken.ts': jobText({ before: `import './_broken.ts';` }),
    'no-job.ts': 'export const job = 1;',
    'terminal.ts': jobText({ before: `throw new Error('\\u001b[2Jcleared');` }),
  };

  it('each with its place and what to do, in one message', async () => {
    expect(await refusal(jobsFolder({ ...bad, 'good.ts': good }))).toMatchInlineSnapshot(`
      "11 problems under JOBS

      awaits.ts
        - awaits.ts:3:1: top-level await is not allowed in a job: its bundle is CommonJS, and every cold start would wait; await inside run()

      exits.ts
        - throws when it is imported: Error: process.exit(0) is called (exits.ts:3:9); a job is loaded in more places than it runs in: what needs the environment or the network belongs inside run()

      neighbour-broken.ts
        - _broken.ts:1:23: Unexpected ";"

      no-job.ts
        - has no default export; write: export default defineJob({ … })

      no-neighbour.ts
        - no-neighbour.ts:3:8: Could not resolve "./_gone.ts"

      no-package.ts
        - no-package.ts:3:15: Could not resolve "left-pad-of-yore"

      syntax.ts
        - syntax.ts:1:27: Expected identifier but found "{"

      terminal.ts
        - throws when it is imported: Error: \\u{1b}[2Jcleared (terminal.ts:3:7); a job is loaded in more places than it runs in: what needs the environment or the network belongs inside run()

      throws-nothing.ts
        - throws when it is imported: null; a job is loaded in more places than it runs in: what needs the environment or the network belongs inside run()

      throws.ts
        - throws when it is imported: TypeError: no BANK_URL (throws.ts:4:25); a job is loaded in more places than it runs in: what needs the environment or the network belongs inside run()

      unknown-option.ts
        - "crashd" is no option; did you mean "crashed"?"
    `);
  });

  it('what the compiler warns of is passed on, wherever it is', async () => {
    const jobsDir = jobsFolder({
      '_shared.ts': 'export const limits = { a: 1, a: 2 };',
      'one.ts': jobText({
        before: `import { limits } from './_shared.ts';`,
        more: `missed: 'all', memory: 128 * limits.a,`,
      }),
      'two.ts': good,
    });
    expect((await loadCatalog({ jobsDir })).warnings).toMatchInlineSnapshot(`
      [
        "one.ts: _shared.ts:1:31: Duplicate key "a" in object literal",
        "one.ts: one.ts:9:3: Duplicate key "missed" in object literal",
      ]
    `);
  });

  it('onProblem is told each, and the good ones are loaded', async () => {
    const problems: Problem[] = [];
    const catalog = await loadCatalog({
      jobsDir: jobsFolder({ ...bad, 'good.ts': good }),
      onProblem: (problem) => problems.push(problem),
    });
    expect(catalog.manifest.jobs.map(({ id }) => id)).toEqual(['good']);
    expect(catalog.problems).toEqual(problems);
    expect(new Set(problems.map(({ file }) => file))).toEqual(
      new Set(Object.keys(bad).filter((file) => !file.startsWith('_'))),
    );
  });

  it('two jobs with one id: each is told of the other, and neither is loaded', async () => {
    const jobsDir = jobsFolder({
      'billing/invoices.ts': good,
      'moved.ts': jobText({ more: `id: 'billing/invoices',` }),
      'good.ts': good,
    });
    expect(await refusal(jobsDir)).toMatchInlineSnapshot(`
      "2 problems under JOBS

      billing/invoices.ts
        - id: "billing/invoices" is also the id of moved.ts; give one of them another id or path

      moved.ts
        - id: "billing/invoices" is also the id of billing/invoices.ts; give one of them another id or path"
    `);
    const { manifest } = await loadCatalog({ jobsDir, onProblem: () => {} });
    expect(manifest.jobs.map(({ id }) => id)).toEqual(['good']);
  });
});

describe('stages', () => {
  it('a job that names its stages is in their manifests alone', async () => {
    const jobsDir = jobsFolder({
      'everywhere.ts': good,
      'in-prod.ts': jobText({ more: `stages: ['prod'],` }),
    });
    const idsIn = async (stage?: string) =>
      (await loadCatalog({ jobsDir, ...(stage !== undefined && { stage }) })).manifest.jobs.map(
        ({ id }) => id,
      );
    expect(await idsIn('prod')).toEqual(['everywhere', 'in-prod']);
    expect(await idsIn('dev')).toEqual(['everywhere']);
    expect(await idsIn()).toEqual(['everywhere', 'in-prod']);
  });

  it('say over how many stacks their jobs are spread', async () => {
    const jobsDir = jobsFolder({ 'one.ts': good });
    expect((await loadCatalog({ jobsDir, stage: 'prod' })).manifest.jobStacks).toBe(stages.prod.jobStacks);
    expect((await loadCatalog({ jobsDir, stage: 'local' })).manifest).not.toHaveProperty('jobStacks');
    await expect(loadCatalog({ jobsDir, stage: 'nowhere' })).rejects.toBeInstanceOf(ConfigError);
  });

  it('a job with problems is refused in every stage', async () => {
    const jobsDir = jobsFolder({ 'in-prod.ts': jobText({ more: `stages: ['prod'], memory: 1,` }) });
    await expect(loadCatalog({ jobsDir, stage: 'dev' })).rejects.toBeInstanceOf(CatalogError);
  });
});

describe('loading again', () => {
  it('sees what changed', async () => {
    const jobsDir = jobsFolder({ 'one.ts': good });
    await loadCatalog({ jobsDir });
    writeJob(jobsDir, 'one.ts', jobText({ more: 'memory: 1024,' }));
    expect((await loadCatalog({ jobsDir })).manifest.jobs[0]?.memoryMb).toBe(1024);
  });
});

it('works in a plain process under tsx, as npm start, fl and the CDK app run', () => {
  const jobsDir = jobsFolder({ 'one.ts': good });
  const load = new URL('../../functions/catalog/load.ts', import.meta.url).href;
  const script = `
    const { loadCatalog } = await import(${JSON.stringify(load)});
    console.log((await loadCatalog({ jobsDir: ${JSON.stringify(jobsDir)} })).manifest.jobs[0].id);`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()).toBe('one');
});

it('the jobs of this repository load without a problem or a warning', async () => {
  const { manifest, warnings } = await loadCatalog({
    jobsDir: 'functions/jobs',
    now: Date.UTC(2026, 10, 30),
  });
  expect(manifest.jobs.length).toBeGreaterThan(0);
  expect(warnings).toEqual([]);
});
