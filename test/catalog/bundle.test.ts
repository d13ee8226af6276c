import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleFunctions } from '../../functions/catalog/bundle.ts';
import { loadCatalog } from '../../functions/catalog/load.ts';
import { CatalogError } from '../../functions/catalog/problem.ts';
import { publicManifest } from '../../functions/domain/manifest.ts';
import { jobsFolder, jobText, temporaryFolder, writeJob } from '../support/jobs-folder.ts';

const require = createRequire(import.meta.url);

/** Stand-ins that show what they were given. */
const handlers = {
  'job.ts': `
    import type { Job } from '#job';
    export function jobHandler(entry: unknown, job: Job) {
      return async () => ({ entry, returned: await job.options.run({} as never, {} as never) });
    }`,
  'reconciler.ts': 'export function reconcilerHandler(manifest: unknown) { return async () => manifest; }',
};

async function bundled(jobsDir: string, outDir = temporaryFolder()) {
  const catalog = await loadCatalog({ jobsDir });
  const bundles = await bundleFunctions({ catalog, outDir, handlersDir: jobsFolder(handlers) });
  return { catalog, bundles, outDir };
}

/** Every file below a folder with its text. */
function contentsOf(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(path.join(dir, name), 'utf8')]));
}

const shared = `export const shared = (): string => 'shared';`;
const two = {
  '_shared.ts': shared,
  'billing/send-invoices.ts': jobText({
    before: `import { shared } from '../_shared.ts';`,
    run: 'return shared();',
  }),
  'report.ts': jobText({
    before: `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';`,
    run: `return new DynamoDBClient({ region: 'eu-west-1' }).constructor === DynamoDBClient;`,
  }),
};

describe('a bundle', () => {
  it('exports the handler of its job, with the entry of the manifest baked in', async () => {
    const { catalog, bundles } = await bundled(jobsFolder(two));
    const [invoices, report] = catalog.manifest.jobs;
    const call = (id: string) => require(path.join(bundles.functions[id]?.dir ?? '', 'index.js')).handler();
    expect(await call('billing/send-invoices')).toEqual({ entry: invoices, returned: 'shared' });
    expect(await call('report')).toEqual({ entry: report, returned: true });
  });

  it('of the reconciler has the manifest, and neither job code nor the values of environments', async () => {
    const environment = `environment: { API_KEY: 'hush' },`;
    const { catalog, bundles } = await bundled(
      jobsFolder({ ...two, 'three.ts': jobText({ more: environment }) }),
    );
    const file = path.join(bundles.reconciler.dir, 'index.js');
    expect(catalog.jobs.find(({ entry }) => entry.id === 'three')?.entry.environment).toEqual({
      API_KEY: 'hush',
    });
    expect(await require(file).handler()).toEqual(publicManifest(catalog.manifest));
    expect(readFileSync(file, 'utf8')).not.toMatch(/hush|API_KEY/);
    expect(bundles.reconciler.bytes).toBe(readFileSync(file).byteLength);
    expect(bundles.reconciler.bytes).toBeLessThan(5_000);
  });

  it('is CommonJS, whatever package it lies in', async () => {
    const outDir = temporaryFolder();
    writeJob(outDir, 'package.json', '{"type":"module"}');
    const { bundles } = await bundled(jobsFolder({ 'one.ts': jobText({ run: 'return 1;' }) }), outDir);
    const { handler } = require(path.join(bundles.functions.one?.dir ?? '', 'index.js'));
    expect(await handler()).toMatchObject({ returned: 1 });
  });

  it('of a job called reconciler does not take the place of the reconciler', async () => {
    const { bundles } = await bundled(jobsFolder({ 'reconciler.ts': jobText() }));
    expect(bundles.functions.reconciler?.dir).not.toBe(bundles.reconciler.dir);
  });
});

describe('the same sources give the same bytes', () => {
  it('in whatever folders they lie', async () => {
    const here = jobsFolder(two);
    const there = path.join(temporaryFolder(), 'deeper/down');
    cpSync(here, there, { recursive: true });
    const first = contentsOf((await bundled(here)).outDir);
    const second = contentsOf((await bundled(there, path.join(temporaryFolder(), 'some/where'))).outDir);
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync(here, link);
    expect(contentsOf((await bundled(link)).outDir)).toEqual(first);
    expect(Object.keys(first)).toContain('billing_send-invoices/index.js.map');
    expect(second).toEqual(first);
  });

  it('and none of them names a folder of this machine', async () => {
    const jobsDir = jobsFolder(two);
    const { outDir } = await bundled(jobsDir);
    for (const [file, text] of Object.entries(contentsOf(outDir)))
      for (const folder of [process.cwd(), jobsDir, outDir, '"../'])
        expect(text.includes(folder), `${file} names ${folder}`).toBe(false);
  });

  it('a source map names the job, its neighbours and its packages', async () => {
    const { outDir } = await bundled(jobsFolder(two));
    const { sources } = JSON.parse(contentsOf(outDir)['report/index.js.map'] ?? '');
    const places = new Set(
      sources.map((source: string) => source.replace(/^(node_modules|functions)\/.*/, '$1')),
    );
    expect(places).toEqual(new Set(['generated', 'functions', 'jobs/report.ts', 'node_modules', 'job.ts']));
  });

  it('an error that a bundle throws is traced to the line of the job’s file', async () => {
    const run = "\n    throw new Error('of line ' + String(11));";
    const { bundles } = await bundled(jobsFolder({ 'deep/thrower.ts': jobText({ run }) }));
    const file = path.join(bundles.functions['deep/thrower']?.dir ?? '', 'index.js');
    const script = `require(${JSON.stringify(file)}).handler().catch((error) => console.log(error.stack))`;
    const { stdout } = spawnSync(process.execPath, ['--enable-source-maps', '-e', script], {
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/of line 11\n.*jobs\/deep\/thrower\.ts:11:\d+/);
  });

  it('editing one job changes its bundle alone', async () => {
    const jobsDir = jobsFolder(two);
    const before = contentsOf((await bundled(jobsDir)).outDir);
    writeJob(
      jobsDir,
      'report.ts',
      jobText({ before: `const rows = [1, 2, 3];`, run: 'return rows.length;' }),
    );
    const after = contentsOf((await bundled(jobsDir)).outDir);
    const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
    expect(changed).toEqual(['report/index.js', 'report/index.js.map']);
  });

  it('a new job changes no other bundle', async () => {
    const jobsDir = jobsFolder(two);
    const before = contentsOf((await bundled(jobsDir)).outDir);
    writeJob(
      jobsDir,
      'a-first.ts',
      jobText({ before: `import { shared } from './_shared.ts';`, run: 'shared();' }),
    );
    const after = contentsOf((await bundled(jobsDir)).outDir);
    const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
    expect([...new Set(changed.map((file) => path.dirname(file)))]).toEqual(['_reconciler', 'a-first']);
  });
});

it('writes nothing when anything does not compile', async () => {
  const catalog = await loadCatalog({ jobsDir: jobsFolder(two) });
  const outDir = path.join(temporaryFolder(), 'out');
  const handlersDir = jobsFolder({ ...handlers, 'reconciler.ts': 'export const = 1;' });
  await expect(bundleFunctions({ catalog, outDir, handlersDir })).rejects.toBeInstanceOf(CatalogError);
  expect(existsSync(outDir)).toBe(false);
});

it('only the jobs that have secrets have a client of the service that keeps them', async () => {
  const jobsDir = jobsFolder({
    'plain.ts': jobText(),
    'secret.ts': jobText({ more: `secrets: { KEY: '{stage}/key', PASSWORD: 'bank/db#password' },` }),
    'parameter.ts': jobText({ more: `secrets: { KEY: '/bank/key' },` }),
  });
  const catalog = await loadCatalog({ jobsDir });
  const { functions } = await bundleFunctions({ catalog, outDir: temporaryFolder() });
  const has = (id: string) => {
    const text = readFileSync(path.join(functions[id]?.dir ?? '', 'index.js'), 'utf8');
    return ['GetSecretValue', 'GetParameter'].filter((name) => new RegExp(`"${name}"`).test(text));
  };
  expect([has('plain'), has('secret'), has('parameter')]).toEqual([[], ['GetSecretValue'], ['GetParameter']]);
  const sizes = Object.values(functions).map(({ bytes }) => bytes);
  expect(Math.max(...sizes)).toBeLessThan(700_000);
});

describe('the budget', () => {
  const sizesOf = async (jobsDir: string) => {
    const catalog = await loadCatalog({ jobsDir });
    const { functions, reconciler } = await bundleFunctions({ catalog, outDir: temporaryFolder() });
    return Object.entries({ ...functions, reconciler }).map(([id, { bytes }]) => ({ id, bytes }));
  };

  // Each 100 KB are some 5 ms of a cold start, wherever nothing of them is called.
  it('of a job that imports nothing is 410 KB: the ledger’s client, the queue’s, log, metrics and the runtime', async () => {
    const [plain] = await sizesOf(jobsFolder({ 'plain.ts': jobText() }));
    expect(plain?.bytes).toBeLessThan(410_000);
  });

  it('of every job is 500 KB, and of the reconciler, with one client more, 560', async () => {
    const sizes = await sizesOf('functions/jobs');
    expect(sizes.length).toBeGreaterThan(5);
    const most = (id: string) => (id === 'reconciler' ? 560_000 : 500_000);
    expect(sizes.filter(({ id, bytes }) => bytes > most(id))).toEqual([]);
  });
});

describe('credentials', () => {
  const asks = (before: string, run: string) => jobText({ before, run });
  const client = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';`;

  it('are the environment’s, and no client is bundled to look for them on a person’s machine', async () => {
    const run = `return new DynamoDBClient({ region: 'eu-west-1' }).config.credentials();`;
    const { bundles } = await bundled(jobsFolder({ 'asks.ts': asks(client, run) }));
    const file = path.join(bundles.functions.asks?.dir ?? '', 'index.js');
    expect(readFileSync(file, 'utf8')).not.toMatch(/GetRoleCredentials|AssumeRoleWithWebIdentity/);
    const given = await answerOf(file, { AWS_ACCESS_KEY_ID: 'from-env', AWS_SECRET_ACCESS_KEY: 'x' });
    expect(given).toContain('"accessKeyId":"from-env"');
    expect(await answerOf(file, {})).toContain('Could not load credentials from any providers');
  });

  it('of another place are there for the job that names it', async () => {
    const before = `import { fromSSO } from '@aws-sdk/credential-provider-sso';`;
    const { bundles } = await bundled(jobsFolder({ 'names.ts': asks(before, 'return typeof fromSSO;') }));
    const file = path.join(bundles.functions.names?.dir ?? '', 'index.js');
    expect(readFileSync(file, 'utf8')).toContain('GetRoleCredentials');
  });

  function answerOf(file: string, env: Record<string, string>): string {
    const script = 'require(process.argv[1]).handler().then(JSON.stringify, String).then(console.log)';
    const nowhere = { AWS_EC2_METADATA_DISABLED: 'true', AWS_CONFIG_FILE: '/dev/null', HOME: '/nonexistent' };
    return spawnSync(process.execPath, ['-e', script, file], {
      env: { ...nowhere, ...env },
      encoding: 'utf8',
    }).stdout;
  }
});
