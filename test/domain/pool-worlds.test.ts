import { describe, expect, test } from 'vitest';
import { admit, patienceMs, type Waiter } from '../../functions/domain/admission.ts';
import { Random } from '../../functions/simulator/random.ts';
import { chooseSeed } from '../support/seeded-random.ts';
import type { Ground } from './pool-worlds/ground.ts';
import { drawPlan } from './pool-worlds/plan.ts';
import { play } from './pool-worlds/play.ts';
import type { Admit } from './pool-worlds/reconciler.ts';
import { checkDecision } from './pool-worlds/rules.ts';

const worlds = 10_000;
const seed = chooseSeed();
console.log(`seed ${seed}`);

/** World by world; one that breaks a rule names its own seed, with which SEED begins the next time. */
async function* playAll(decide: Admit, count: number): AsyncGenerator<Ground> {
  for (let n = 0; n < count; n += 1) {
    try {
      yield await play(drawPlan(new Random(seed + n)), decide);
    } catch (error) {
      throw new Error(`SEED=${seed + n} ${error}`, { cause: error });
    }
  }
}

/** Each decision is judged by itself, besides what comes of it. */
function judged(decide: Admit): Admit {
  return (pools, waiters, now) => {
    const admitted = decide(pools, waiters, now);
    checkDecision(pools, waiters, admitted, now);
    return admitted;
  };
}

test('10,000 random worlds: no pool over its capacity, every waiter in time, nothing leaked or given back twice', async () => {
  const all = { waited: 0, overdue: 0, takenOver: 0, canceled: 0, heldBack: 0 };
  let longest = 0;
  for await (const { tally, bound } of playAll(judged(admit), worlds)) {
    for (const what of Object.keys(all) as (keyof typeof all)[]) all[what] += tally[what];
    longest = Math.max(longest, ...bound.parts);
  }
  console.log(all, `longest wait: ${Math.round(100 * longest)}% of its bound`);
  // They have been what they are meant to be.
  for (const count of Object.values(all)) expect(count).toBeGreaterThan(worlds / 5);
  expect(longest).toBeGreaterThan(0.5);
}, 180_000);

/** The decision about waiters as they seem to be. */
function seeing(seen: (waiter: Waiter, now: number) => Partial<Waiter>): Admit {
  return (pools, waiters, now) => {
    const seemingly = waiters.map((waiter) => ({ ...waiter, ...seen(waiter, now), waiter }));
    return admit(pools, seemingly, now).map(({ waiter }) => waiter);
  };
}

const neverOverdue: Admit = (pools, waiters) => admit(pools, waiters, Number.NEGATIVE_INFINITY);
const youngestFirst = seeing(({ since }, now) => {
  const age = now - since;
  return age < patienceMs ? {} : { since: now - patienceMs - patienceMs / age };
});
const subtractingTwice = seeing(({ needs }) => ({
  needs: Object.fromEntries(Object.entries(needs).map(([pool, weight]) => [pool, 2 * weight])),
}));
const notSubtracting: Admit = (pools, waiters, now) =>
  waiters.filter((waiter) => admit(pools, [waiter], now).length > 0);
const withoutPriority = seeing(() => ({ priority: 0 }));
const firstOnly: Admit = (pools, waiters, now) => admit(pools, waiters, now).slice(0, 1);
const strictOrder: Admit = (pools, waiters, now) => {
  const inOrder = admit(new Map(), [...waiters].map(freeOfNeeds), now).map(({ waiter }) => waiter);
  const fitting = admit(pools, waiters, now);
  const stuck = inOrder.findIndex((waiter) => !fitting.includes(waiter));
  return stuck < 0 ? inOrder : inOrder.slice(0, stuck);
};

function freeOfNeeds<W extends Waiter>(waiter: W): W & { readonly waiter: W } {
  return { ...waiter, needs: {}, waiter };
}

async function broken(decide: Admit): Promise<string | null> {
  try {
    for await (const _ of playAll(decide, 1_000));
    return null;
  } catch (error) {
    return String(error);
  }
}

describe('those worlds notice a decision', () => {
  test.each([
    ['that reserves nothing', neverOverdue, /has waited|was past its patience/],
    ['that lets the youngest go first', youngestFirst, /was past its patience/],
    ['that subtracts twice what is taken', subtractingTwice, /was past its patience|Never over/],
  ])('%s, by the wait that comes of it', async (_what, decide, message) => {
    expect(await broken(decide)).toMatch(message);
  });

  test.each([
    ['that reserves nothing', neverOverdue, /took what .* reserves|took the place of/],
    ['that lets the youngest go first', youngestFirst, /took the place of|took what/],
    ['that subtracts twice what is taken', subtractingTwice, /fits, and was left out/],
    ['that does not subtract what is taken', notSubtracting, /was given more of|took the place of/],
    ['that knows no priority', withoutPriority, /took the place of/],
    ['that lets only one go', firstOnly, /fits, and was left out/],
    ['that stops at a full pool', strictOrder, /fits, and was left out/],
  ])('%s, at once', async (_what, decide, message) => {
    expect(await broken(judged(decide))).toMatch(message);
  });
});
