import { describe, expect, test } from 'vitest';
import { progressOn } from '../../../functions/simulator/command/progress.ts';

function screen(columns: number | undefined) {
  const written: string[] = [];
  const clock = { now: 0 };
  const progress = progressOn({ write: (text) => void written.push(text), columns, now: () => clock.now });
  return { written, clock, progress };
}

describe('progress', () => {
  test('on a terminal is one line that is written over: a bar, what is done, and how long it will take', () => {
    const { written, clock, progress } = screen(100);
    progress.tell('seed', 0, 20, '0 deliveries');
    clock.now = 10_000;
    progress.tell('seed', 5, 20, '1,200 deliveries');
    expect(written).toEqual([
      '\r\u001b[K▕░░░░░░░░░░░░░░░░░░░░▏ 0 of 20 seeds · 0 deliveries',
      '\r\u001b[K▕█████░░░░░░░░░░░░░░░▏ 5 of 20 seeds · 1,200 deliveries · 30 s left',
    ]);
    progress.clear();
    expect(written.at(-1)).toBe('\r\u001b[K');
  });

  test('never runs over the width of the terminal', () => {
    const { written, progress } = screen(40);
    progress.tell('seed', 5, 20, '1,200,000 deliveries');
    expect(written[0]?.replace('\r\u001b[K', '')).toHaveLength(39);
  });

  test('elsewhere is a line every ten seconds', () => {
    const { written, clock, progress } = screen(undefined);
    for (clock.now = 0; clock.now < 25_000; clock.now += 1_000)
      progress.tell('seed', clock.now / 1_000, 100, '');
    progress.clear();
    expect(written).toEqual(['10 of 100 seeds · 1 min 30 s left\n', '20 of 100 seeds · 1 min 20 s left\n']);
  });
});
