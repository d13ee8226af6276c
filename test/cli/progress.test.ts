import { describe, expect, test } from 'vitest';
import { progressOn } from '../../functions/cli/render/progress.ts';

function screen(columns: number | undefined) {
  const written: string[] = [];
  const clock = { now: 0 };
  const progress = progressOn({ write: (text) => void written.push(text), columns, now: () => clock.now });
  return { written, clock, progress };
}

describe('progress', () => {
  test('on a terminal is one line that is written over: a bar, what is done, and how long it will take', () => {
    const { written, clock, progress } = screen(100);
    progress.tell({ noun: 'seed', done: 0, of: 20, note: '0 deliveries', since: 0 });
    clock.now = 10_000;
    progress.tell({ noun: 'seed', done: 5, of: 20, note: '1,200 deliveries', since: 0 });
    expect(written).toEqual([
      '\r\u001b[K▕░░░░░░░░░░░░░░░░░░░░▏ 0 of 20 seeds · 0 deliveries',
      '\r\u001b[K▕█████░░░░░░░░░░░░░░░▏ 5 of 20 seeds · 1,200 deliveries · 30 s left',
    ]);
    progress.clear();
    expect(written.at(-1)).toBe('\r\u001b[K');
  });

  test('does not foretell what can not be foretold', () => {
    const { written, clock, progress } = screen(undefined);
    clock.now = 10_000;
    progress.tell({ noun: 'mutant', done: 1, of: 3, note: 'caught after 2 seeds' });
    expect(written).toEqual(['1 of 3 mutants · caught after 2 seeds\n']);
  });

  test('never runs over the width of the terminal', () => {
    const { written, progress } = screen(40);
    progress.tell({ noun: 'seed', done: 5, of: 20, note: '1,200,000 deliveries' });
    expect(written[0]?.replace('\r\u001b[K', '')).toHaveLength(39);
  });

  test('elsewhere is a line every ten seconds', () => {
    const { written, clock, progress } = screen(undefined);
    for (clock.now = 0; clock.now < 25_000; clock.now += 1_000)
      progress.tell({ noun: 'seed', done: clock.now / 1_000, of: 100, note: '', since: 0 });
    progress.clear();
    expect(written).toEqual(['10 of 100 seeds · 1 min 30 s left\n', '20 of 100 seeds · 1 min 20 s left\n']);
  });
});
