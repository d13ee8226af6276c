import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { codeSpans, read, root, section } from './documents.ts';

const architecture = read('ARCHITECTURE.md');

test('names every state and every reason of a run', () => {
  const run = read('functions/domain/run.ts');
  const listed = (from: string, to: string) =>
    Array.from((run.split(from)[1]?.split(to)[0] ?? '').matchAll(/'([a-z-]+)'/g), ([, word = '']) => word);
  const words = [
    ...listed('export const openStates = [', ']'),
    ...listed('export const terminalStates = [', ']'),
    ...listed('export type Reason =', ';'),
  ];
  expect(words.length).toBeGreaterThan(20);
  const spoken = codeSpans(section(architecture, '## Words'));
  expect(words.filter((word) => !spoken.includes(word))).toEqual([]);
});

test('every room of functions has its place in the map', () => {
  const [, map = ''] = /```\n([\s\S]*?)```/.exec(section(architecture, '## Rooms')) ?? [];
  const rooms = readdirSync(path.join(root, 'functions'), { withFileTypes: true });
  const names = rooms.map((room) => (room.isDirectory() ? `${room.name}/` : room.name));
  expect(names.filter((name) => !map.split(/\s+/).includes(name))).toEqual([]);
});
