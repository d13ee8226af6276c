import { describe, expect, test } from 'vitest';
import { holds } from '../support/property.ts';
import { keepsPromises } from './keeps-promises.ts';
import { leaseless } from './mutations.ts';
import { worlds } from './worlds.ts';

const met = new Set<string>();
/** Its patience ends in few of its orders. */
const seldom = 'a run that has waited too long for a pool';

describe('in any order of their steps, and with faults in between, no promise is broken by', () => {
  test.each(Object.entries(worlds))('%s', async (name, world) => {
    await holds(keepsPromises(world, undefined, met), { runs: name === seldom ? 60 : 20 });
  });
});

describe('nor do many sweeps at once, should the lease of the reconciler fail, in', () => {
  const several = [
    'a crash and two reconcilers',
    "a dead run's hold and who waits for it",
    'missed fires of which one stands for all',
    'missed fires that are all made up, up to a limit',
  ];
  test.each(Object.entries(worlds).filter(([name]) => several.includes(name)))('%s', async (_, world) => {
    await holds(
      keepsPromises(world, async () => ({ mutate: leaseless })),
      { runs: 20 },
    );
  });
});

test('those worlds walk the common ways of a run, and its invocations come to whatever they can', () => {
  expect([...met]).toEqual(
    expect.arrayContaining([
      ...['absent → running', 'absent → offered', 'absent → waiting', 'absent → skipped', 'absent → missed'],
      ...['waiting → offered', 'offered → running', 'offered → offered'],
      ...['running → succeeded', 'running → failed', 'running → offered', 'running → parked'],
      ...['skipped: superseded', 'skipped: edited', 'skipped: overlap', 'skipped: waited-too-long'],
      ...['waiting: slot', 'waiting: catch-up', 'waiting: pool', 'waiting → waiting', 'waiting → canceled'],
      ...['running, asked to end: operator', 'running, asked to end: superseded', 'running → canceled'],
      ...[
        'succeeded',
        'failed',
        'timed-out',
        'canceled',
        'waiting',
        'duplicate',
        'skipped',
        'stray',
        'offer-gone',
        'conflict',
      ],
    ]),
  );
});
