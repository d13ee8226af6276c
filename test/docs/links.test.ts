import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, linksOf, read, root, section, tableRows } from './documents.ts';

/** The literals of a test file that may be titles. */
function literalsOf(file: string): Set<string> {
  const literals = read(file).matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\\n]|\\.)*)`/g);
  return new Set(Array.from(literals, ([, a, b, c]) => (a ?? b ?? c ?? '').replace(/\\(.)/g, '$1')));
}

const isTests = /^test\/(.*\.test\.ts|(store\/rules|e2e\/scenarios)\/.*\.ts)$/;

describe.each(['README.md', 'ARCHITECTURE.md', 'infra/RUNBOOK.md'])('%s', (document) => {
  const links = linksOf(read(document)).filter(({ to }) => !/^https?:/.test(to));

  test('links to files and headings that are there', () => {
    const broken = links.filter(({ to }) => {
      const [file = '', anchor] = to.split('#');
      const target = file === '' ? document : path.join(path.dirname(document), file);
      if (!existsSync(path.join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('names, with each link to tests, the test that would fail', () => {
    const unproven = links
      .filter(({ to }) => isTests.test(to))
      .filter(({ text, to, title = text }) => !literalsOf(to).has(title));
    expect(unproven).toEqual([]);
  });
});

test.each([
  ['README.md', '# fireledger', 10],
  ['ARCHITECTURE.md', '## What happens if', 40],
])('%s: each line of the table under "%s" names a test', (document, heading, least) => {
  const rows = tableRows(section(`\n${read(document)}`, heading).split('\n## ')[0] ?? '');
  expect(rows.length).toBeGreaterThanOrEqual(least);
  expect(rows.filter((row) => !linksOf(row.at(-1) ?? '').some(({ to }) => isTests.test(to)))).toEqual([]);
});
