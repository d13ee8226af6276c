import fc from 'fast-check';
import { expect, test } from 'vitest';
import { play } from './play.ts';
import { worlds } from './worlds.ts';

/** Each step of the worlds that a seed draws. */
async function traces(seed: number): Promise<(readonly string[])[]> {
  const all: (readonly string[])[] = [];
  for (const world of Object.values(worlds))
    for (const [script, scheduler] of fc.sample(fc.tuple(world, fc.scheduler()), { seed, numRuns: 1 }))
      all.push((await play(script, scheduler)).trace);
  return all;
}

test('a seed draws the same worlds again, and their steps in the same order', async () => {
  const first = await traces(7);
  expect(await traces(7)).toEqual(first);
  expect(await traces(8)).not.toEqual(first);
});
