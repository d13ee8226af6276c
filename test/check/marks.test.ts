import { describe, expect, it } from 'vitest';
import { marks } from './marks.ts';
import { brokenRules } from './text-rules.ts';

const found = (path: string, text: string) => brokenRules([{ path, text }], marks);

describe('a mark of unfinished work, or of a check switched off, is refused', () => {
  it.each([
    '// TODO later',
    '/* FIXME */',
    '// @ts-ignore',
    '// @ts-nocheck',
    '// @ts-expect-error: wrong',
    '// biome-ignore lint: no',
    "it.skip('x')",
    "describe.only('x')",
    "it.concurrent.skip('x')",
    "test.todo('x')",
  ])('%s', (text) => {
    expect(found('test/a.test.ts', text)).toHaveLength(1);
  });
});

it('a test that says under which condition it can not run is fine', () => {
  expect(found('test/a.test.ts', "it.skipIf(missing)('x')")).toEqual([]);
});

it('prose may speak of such marks, but may not bear one', () => {
  expect(found('CONTRIBUTING.md', 'no @ts-ignore here')).toEqual([]);
  expect(found('CONTRIBUTING.md', 'TODO: write this')).toHaveLength(1);
});
