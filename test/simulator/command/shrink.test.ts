import { describe, expect, test } from 'vitest';
import { type Case, planText, type Simulate } from '../../../functions/simulator/command/case.ts';
import { type Shrunk, shrink } from '../../../functions/simulator/command/shrink.ts';
import { workersAt } from '../../../functions/simulator/command/workers.ts';
import { faultNames } from '../../../functions/simulator/faults.ts';
import type { Simulated } from '../../../functions/simulator/simulate.ts';
import { type Breaks, brokenBy, fakeSimulate } from './fake-simulate.ts';

const invariant = 'one-live-attempt';

interface Tried {
  readonly first: Simulated;
  readonly shrunk: Shrunk | null;
  readonly tried: number;
}

function on(simulate: Simulate, count = 1) {
  return workersAt(Array.from({ length: count }, () => ({ simulate, close: () => {} })));
}

async function shrinkFirst(breaks: Breaks, { mostReplays = 300, atOnce = 1 } = {}): Promise<Tried> {
  const simulate = fakeSimulate(breaks);
  const one = await failing(breaks);
  const first = await simulate(one);
  let tried = 0;
  const shrunk = await shrink(one, {
    invariant,
    first,
    shrinking: {
      workers: on((smaller) => {
        tried += 1;
        return simulate(smaller);
      }, atOnce),
      mayGoOn: (replays) => replays < mostReplays,
      tell: () => {},
    },
  });
  return { first, shrunk, tried };
}

/** A seed that breaks it. */
async function failing(breaks: Breaks): Promise<Case> {
  for (let seed = 1; seed < 1_000; seed += 1) {
    const one = { seed, days: 10, faults: faultNames };
    if ((await fakeSimulate(breaks)(one)).violations.length > 0) return one;
  }
  throw new Error('No seed breaks it.');
}

describe('a case that breaks a promise', () => {
  test('is made as small as what breaks it: two strikes of two faults', async () => {
    const { first, shrunk } = await shrinkFirst(brokenBy('lost-answer', 'clock-skew'));
    expect(shrunk?.to).toMatchObject({ faults: 2, strikes: 2 });
    expect(shrunk?.from.strikes).toBe(first.totalStrikes);
    expect(first.totalStrikes).toBeGreaterThan(10);
    expect(planText(shrunk?.smallest.plan ?? {})).toMatch(/^lost-answer,clock-skew:\d+(,\d+|-\d+)$/);
  });

  test('keeps no strike when it breaks without any', async () => {
    const simulate = fakeSimulate(() => false);
    const always = async (one: Case) => ({
      ...(await simulate(one)),
      violations: [{ invariant, at: 0, what: 'always' }],
    });
    const one = { seed: 1, days: 5, faults: faultNames };
    const first = await always(one);
    const shrinking = { workers: on(always), mayGoOn: () => true, tell: () => {} };
    const shrunk = await shrink(one, { invariant, first, shrinking });
    expect(shrunk?.to).toEqual({ days: 1, faults: 0, strikes: 0 });
    expect(planText(shrunk?.smallest.plan ?? {})).toBe('none:none');
  });

  test('needs three strikes of one fault: they stay', async () => {
    const three: Breaks = (strikes) => strikes.filter(({ fault }) => fault === 'dead-letter').length === 3;
    const { shrunk } = await shrinkFirst(three);
    expect(shrunk?.to).toMatchObject({ faults: 1, strikes: 3 });
  });

  test('breaks it again as it was shrunk', async () => {
    const breaks = brokenBy('lost-answer', 'clock-skew', 'deaf-body');
    const { shrunk } = await shrinkFirst(breaks);
    const smallest = shrunk?.smallest;
    expect(smallest).toBeDefined();
    if (smallest === undefined) return;
    const again = await fakeSimulate(breaks)(smallest);
    expect(again.violations).toEqual([shrunk?.violation]);
  });

  test('comes out the same however many are simulated at a time', async () => {
    const breaks = brokenBy('lost-answer', 'clock-skew');
    const [one, four] = [await shrinkFirst(breaks), await shrinkFirst(breaks, { atOnce: 4 })];
    expect(four.shrunk?.smallest).toEqual(one.shrunk?.smallest);
  });

  test('is left as it is when it breaks only another promise', async () => {
    const one = await failing(brokenBy('lost-answer'));
    const first = await fakeSimulate(brokenBy('lost-answer'))(one);
    const simulate = fakeSimulate(brokenBy('lost-answer'), 'fence');
    const shrinking = { workers: on(simulate), mayGoOn: () => true, tell: () => {} };
    expect(await shrink(one, { invariant, first, shrinking })).toBeNull();
  });

  test('is shrunk within its budget, and says when that was used up', async () => {
    const { shrunk, tried } = await shrinkFirst(brokenBy('lost-answer', 'clock-skew'), { mostReplays: 5 });
    expect(tried).toBe(5);
    expect(shrunk).toMatchObject({ replays: 5, isCutShort: true });
    expect((await shrinkFirst(brokenBy('lost-answer'))).shrunk?.isCutShort).toBe(false);
  });
});
