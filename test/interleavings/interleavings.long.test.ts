import { describe, expect, test } from 'vitest';
import { holds } from '../support/property.ts';
import { keepsPromises } from './keeps-promises.ts';
import { leaseless } from './mutations.ts';
import { arrows } from './record-rules.ts';
import { worlds } from './worlds.ts';

const met = new Set<string>();

describe('in thousands of orders of their steps no promise is broken by', () => {
  test.each(Object.entries(worlds))('%s', async (_, world) => {
    await holds(keepsPromises(world, undefined, met), { runs: 600 });
  });
});

describe('nor do many sweeps at once, should the lease of the reconciler fail, in', () => {
  // A removal reads its job's state once, under the lease.
  const kept = Object.entries(worlds).filter(([name]) => !name.startsWith('a removed job'));
  test.each(kept)('%s', async (_, world) => {
    await holds(
      keepsPromises(world, async () => ({ mutate: leaseless })),
      { runs: 100 },
    );
  });
});

test('those worlds walk every way of a run', () => {
  const ways = Object.entries(arrows).flatMap(([from, to]) => to.map((state) => `${from} → ${state}`));
  expect(ways.filter((way) => !met.has(way))).toEqual([]);
});
