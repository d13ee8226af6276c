import { describe, expect, it } from 'vitest';
import { jobsFolder } from '../support/jobs-folder.ts';
import { importErrors } from './checks.ts';

/** What the check says of a repository of these files. */
function errorsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
  return importErrors(jobsFolder(files), sources);
}

const store = { 'functions/store/memory.ts': 'export type Memory = string; export const memory = 1;' };

/** Put together, so that this file itself is not taken to import it. */
const inPlace = ['import', "('../store/memory.ts')"].join('');

describe('an import that goes the wrong way is named with its rule', () => {
  it.each([
    ['a value', `import { memory } from '../store/memory.ts'; console.log(memory);`],
    ['a type', `import type { Memory } from '../store/memory.ts';\nexport const x: Memory = '';`],
    [
      'a type among values',
      `import { type Memory } from '../store/memory.ts';\nexport const x: Memory = '';`,
    ],
    ['a type in place', `export const x: ${inPlace}.Memory = '';`],
    ['a re-export', `export { memory } from '../store/memory.ts';`],
    ['a re-export of a type', `export type { Memory } from '../store/memory.ts';`],
    ['an import on demand', `export const later = () => ${inPlace};`],
  ])('%s', async (_kind, text) => {
    expect(await errorsOf({ ...store, 'functions/domain/run.ts': text })).toEqual([
      'functions/domain/run.ts → functions/store/memory.ts: the domain is pure: it imports itself, the names of the contract, and packages that only compute',
    ]);
  });

  it.each([
    ['functions/domain/run.ts', 'node:fs'],
    ['functions/domain/run.ts', '@aws-sdk/client-dynamodb'],
    ['functions/contract.ts', 'node:path'],
    ['functions/jobs/report.ts', 'aws-cdk-lib/aws-sqs'],
    ['functions/local/main.ts', 'constructs'],
    ['infra/app.ts', 'commander'],
  ])('%s may not import %s', async (file, name) => {
    expect(await errorsOf({ [file]: `import '${name}';` })).toEqual([
      expect.stringMatching(`^${file} → ${name}: `),
    ]);
  });

  it.each([
    ['functions/cli/main.ts', 'infra/names.ts'],
    ['functions/runtime/attempt.ts', 'functions/store/memory.ts'],
    ['functions/reconciler/sweep.ts', 'functions/store/memory.ts'],
    ['functions/store/memory.ts', 'functions/runtime/attempt.ts'],
    ['functions/jobs/report.ts', 'functions/domain/run.ts'],
    ['functions/job.ts', 'functions/runtime/attempt.ts'],
    ['functions/catalog/load.ts', 'functions/handlers/job.ts'],
    ['functions/handlers/job.ts', 'functions/catalog/load.ts'],
    ['functions/simulator/world.ts', 'functions/local/cloud.ts'],
    ['functions/simulator/main.ts', 'functions/cli/program.ts'],
    ['infra/app.ts', 'functions/store/memory.ts'],
    ['functions/local/main.ts', 'test/support/clock.ts'],
  ])('%s may not import %s', async (file, other) => {
    const path = `${'../'.repeat(file.split('/').length - 1)}${other}`;
    const files = { [other]: 'export const x = 1;', [file]: `import '${path}';` };
    expect(await errorsOf(files)).toEqual([expect.stringMatching(`^${file} → ${other}: `)]);
  });
});

it('imports that go the right way are not', async () => {
  const files = {
    ...store,
    'functions/domain/run.ts': `import 'fastest-levenshtein'; export const run = 1;`,
    'functions/job.ts': `export { run } from './domain/run.ts';`,
    'functions/jobs/report.ts': `import '../job.ts'; import '@aws-sdk/client-dynamodb'; import 'node:fs';`,
    'functions/handlers/job.ts': `import '../store/memory.ts'; import '../domain/run.ts';`,
    'functions/cli/render/look.ts': 'export const look = 1;',
    'functions/simulator/main.ts': `import '../store/memory.ts'; import '../cli/render/look.ts';`,
    'infra/app.ts': `import '../functions/domain/run.ts'; import 'aws-cdk-lib/aws-sqs';`,
    'test/run.test.ts': `import '../functions/store/memory.ts'; import '../infra/app.ts'; import 'vitest';`,
  };
  expect(await errorsOf(files)).toEqual([]);
});

it('an import of nothing is an error of the check, not its end', async () => {
  expect(await errorsOf({ 'functions/domain/run.ts': `import './gone.ts';` })).toEqual([
    'functions/domain/run.ts:1:8: Could not resolve "./gone.ts"',
  ]);
});
