import { expect, it } from 'vitest';
import { brokenRules } from './text-rules.ts';

it('a broken rule is told with its file, its line and what to do', () => {
  const sources = [
    { path: 'README.md', text: 'one\ntwo blue\n\nblue' },
    { path: 'a.ts', text: 'blue' },
  ];
  expect(brokenRules(sources, [{ pattern: /blue/g, instead: 'write green', files: /\.md$/ }])).toEqual([
    'README.md:2: "blue": write green',
    'README.md:4: "blue": write green',
  ]);
});
