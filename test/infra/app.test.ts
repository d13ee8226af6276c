import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stageNamed } from '../../infra/stage.ts';
import { root, type Synthesised, synthesise } from './synthesised.ts';

const run = promisify(execFile);
const scratch = mkdtempSync(path.join(tmpdir(), 'fireledger-cdk-'));
const out = path.join(scratch, 'out');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** `npx cdk synth -q`, which the CDK's own validation of templates is a part of. */
function cdkSynth(output: string, ...more: string[]) {
  const cdk = path.join(root, 'node_modules/aws-cdk/bin/cdk');
  return run(process.execPath, [cdk, 'synth', '-q', '--no-color', '-o', output, ...more], {
    cwd: root,
    env: withoutAccount(),
  });
}

/** The environment of somebody who has no account and no network. */
function withoutAccount(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('AWS_') && !name.startsWith('CDK_'),
  );
  const nowhere = 'http://127.0.0.1:1';
  return {
    ...Object.fromEntries(own),
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
  };
}

describe('cdk synth', () => {
  beforeAll(() => cdkSynth(out), 120_000);

  test('makes the three stacks of stage dev without an account and without a network', () => {
    const templates = readdirSync(out).filter((file) => file.endsWith('.template.json'));
    expect(templates).toEqual(['Example.template.json', 'Jobs1.template.json', 'Ledger.template.json']);
  });

  test('makes templates in which cfn-lint finds nothing', async ({ skip }) => {
    const templates = readdirSync(out).filter((file) => file.endsWith('.template.json'));
    const lint = await run('cfn-lint', templates, { cwd: out }).catch(
      (error: NodeJS.ErrnoException & { stdout?: string }) => error,
    );
    if (lint instanceof Error && lint.code === 'ENOENT') {
      console.warn('SKIPPED: cfn-lint is not on PATH, so the templates were not linted');
      skip('cfn-lint is not on PATH');
    }
    expect(lint instanceof Error ? lint.stdout : '').toBe('');
  }, 60_000);

  test('leaves each bundle on the disk once, as an asset', () => {
    expect(existsSync(path.join(out, 'bundles'))).toBe(false);
    expect(assetsIn(out).length).toBeGreaterThan(5);
  });

  test('uploads the same code wherever it is run', async () => {
    const elsewhere = await synthesise('dev');
    try {
      expect(assetsIn(elsewhere.dir)).toEqual(assetsIn(out));
    } finally {
      elsewhere.dispose();
    }
  });

  function assetsIn(dir: string): string[] {
    return readdirSync(dir)
      .filter((name) => name.startsWith('asset.'))
      .sort();
  }
});

describe('what is wrong is told in its own words, and nothing is synthesised', () => {
  test('an unknown stage', async () => {
    const output = path.join(scratch, 'unknown-stage');
    await expect(cdkSynth(output, '-c', 'stage=nowhere')).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /^there is no stage "nowhere"; the stages of functions\/config\.ts are local, dev, e2e, prod\n/,
      ),
    });
    expect(existsSync(path.join(output, 'manifest.json'))).toBe(false);
  }, 120_000);

  test('the stage of this machine', () => {
    expect(() => stageNamed('local')).toThrow(
      'the stage "local" is this machine, and npm start runs it; those that can be deployed are dev, e2e, prod',
    );
  });

  test('every mistake of every job file', async () => {
    const jobs = jobsFolder({
      'one.ts':
        "import { defineJob } from '#job';\nexport default defineJob({ descripton: 'x' } as never);\n",
      'two.ts': "throw new Error('at import');\n",
    });
    const output = path.join(scratch, 'bad-jobs');
    const { stderr } = await cdkSynth(output, '-c', `jobs=${jobs}`).catch(
      (error: { stderr: string }) => error,
    );
    expect(stderr).toContain('one.ts');
    expect(stderr).toContain('descripton');
    expect(stderr).toContain('two.ts');
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(existsSync(path.join(output, 'manifest.json'))).toBe(false);
    expect(existsSync(path.join(output, 'bundles'))).toBe(false);
  }, 120_000);
});

test('a grace below two minutes is warned of', async () => {
  const jobs = jobsFolder({
    'hasty.ts': `import { cron, defineJob } from '#job';
export default defineJob({ description: 'x', schedule: cron('0 3 * * *'), timezone: 'UTC', missed: 'skip',
  crashed: 'rerun', grace: '60 seconds', run: () => {} });`,
  });
  const hasty: Synthesised = await synthesise('dev', jobs);
  expect(hasty.warnings).toEqual([expect.stringMatching(/hasty\.ts.*grace/s)]);
  hasty.dispose();
});

function jobsFolder(files: Record<string, string>): string {
  const dir = mkdtempSync(path.join(scratch, 'jobs-'));
  mkdirSync(dir, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text);
  return dir;
}
