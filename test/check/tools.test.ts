import { expect, it } from 'vitest';
import { strictProject } from '../support/strict-project.ts';
import { lintErrors, typeErrors } from './command.ts';

const fine = "export const first = (texts: readonly string[]): string => texts[0] ?? '';\n";

it('tidy code passes types, lint and format', async () => {
  expect(await typeErrors(strictProject({ 'a.ts': fine }))).toEqual([]);
  expect(await lintErrors(strictProject({ 'a.ts': fine }))).toEqual([]);
});

it('a type error is found, under the strict rules', async () => {
  const [error] = await typeErrors(
    strictProject({ 'a.ts': 'export const first = (texts: string[]): string => texts[0];\n' }),
  );
  expect(error).toMatch(/^a\.ts\(1,\d+\): error TS2322: .*undefined/);
});

it.each([
  ['any', 'export const read = (text: string): any => text;\n', 'noExplicitAny'],
  ['an assertion that something is there', "export const a = ['b'][0]!;\n", 'noNonNullAssertion'],
  ['another format', 'export const a = "b"\n', 'format'],
  ['an unused import', "import path from 'node:path';\n\nexport const a = 1;\n", 'noUnusedImports'],
])('%s is found', async (_what, text, rule) => {
  const complaints = await lintErrors(strictProject({ 'a.ts': text }));
  expect(complaints.join('\n')).toContain(rule);
  expect(complaints.at(-1)).toBe('npx biome check --write fixes the format');
});
