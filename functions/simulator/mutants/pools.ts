import { leavePools } from '../../domain/holds.ts';
import type { Ledger, PoolEffect } from '../../domain/ledger.ts';
import type { Alterations } from '../alterations.ts';
import { altered, type Mutant } from './mutant.ts';

const freedWithoutToken: Mutant = {
  name: 'hold-freed-without-token',
  what: 'a finish gives the holds back though its run was taken over',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        move: async (ref, fence, change, options) => {
          const answer = await ledger.move(ref, fence, change, options);
          const pools = freed(options?.effect?.pools);
          const isFinish = fence.state === 'running' && change.settle !== undefined;
          const standing = answer.kind === 'refused' ? answer.run : null;
          if (standing && isFinish && pools.length > 0)
            await ledger.move(ref, standing, { set: { state: standing.state } }, { effect: { pools } });
          return answer;
        },
      }),
  },
};

const freedAtRequest: Mutant = {
  name: 'hold-freed-at-cancel',
  what: 'a request to cancel gives the holds of the run back, and its code is alive',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        move: async (ref, fence, change, options) => {
          const isRequest = change.set.state === 'running' && change.set.cancelRequested !== undefined;
          const run = isRequest ? await ledger.run(ref) : null;
          return ledger.move(ref, fence, change, run ? { effect: { pools: leavePools(run) } } : options);
        },
      }),
  },
};

const newcomerAtPool: Mutant = {
  name: 'newcomer-overtakes-at-pool',
  what: 'a start takes of a pool though others wait for it',
  alter: effectsOnPools(({ require, ...effect }) =>
    effect.hold?.kind === 'take' ? effect : { ...effect, ...(require && { require }) },
  ),
};

const waiterStillCounted: Mutant = {
  name: 'waiter-uncounted',
  what: 'a run that no longer waits for a pool is still counted there',
  alter: effectsOnPools(({ addWaiting, ...effect }) =>
    addWaiting === -1 ? effect : { ...effect, ...(addWaiting && { addWaiting }) },
  ),
};

const noReservation: Mutant = {
  name: 'waiter-without-reservation',
  what: 'nothing is kept for a waiter, however long it waits',
  alter: {
    reconciler: (ports) => {
      const { ledger, clock } = ports;
      const runs: Ledger['runs'] = async (refs, onUnreadable) =>
        (await ledger.runs(refs, onUnreadable)).map((run) =>
          run.reason === 'pool' ? { ...run, seniority: clock() } : run,
        );
      return { ...ports, ledger: altered(ledger, { runs }) };
    },
  },
};

const capacityAddedTwice: Mutant = {
  name: 'capacity-added-twice',
  what: "a pool's capacity is changed by a difference, once more when no answer came",
  alter: {
    reconciler: (ports) => {
      const { ledger } = ports;
      const add: Ledger['publishPool'] = async ({ name, capacity }, replaces) => {
        const now = (await ledger.pools([name])).get(name)?.capacity ?? null;
        return ledger.publishPool({ name, capacity: (now ?? 0) + capacity - (replaces ?? 0) }, now);
      };
      const publishPool: Ledger['publishPool'] = (pool, replaces) =>
        add(pool, replaces).catch(() => add(pool, replaces));
      return { ...ports, ledger: altered(ledger, { publishPool }) };
    },
  },
};

const waitWithoutSlot: Mutant = {
  name: 'pool-wait-without-conditions',
  what: 'a wait for pools is written whoever has the slot, or waits for it',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        create: (run, effect) => {
          const { slot: _unconditional, require: _neither, ...others } = effect ?? {};
          return ledger.create(run, run.reason === 'pool' ? others : effect);
        },
      }),
  },
};

const rerunThoughCanceled: Mutant = {
  name: 'canceled-run-rerun',
  what: 'a run that was asked to end and crashed is run again',
  alter: {
    reconciler: (ports) => {
      const { ledger } = ports;
      const runs: Ledger['runs'] = async (refs, onUnreadable) =>
        (await ledger.runs(refs, onUnreadable)).map(({ cancelRequested: _unseen, ...run }) => run);
      const move: Ledger['move'] = (ref, { unasked: _unconditional, ...fence }, change, options) =>
        ledger.move(ref, fence, change, options);
      return { ...ports, ledger: altered(ledger, { runs, move }) };
    },
  },
};

const requestUnheard: Mutant = {
  name: 'cancel-request-unheard',
  what: 'an attempt does not look whether it is asked to end',
  alter: {
    job: ({ ports, job }) => {
      const { ledger } = ports;
      const run: Ledger['run'] = async (ref) => {
        const { cancelRequested: _unseen, ...standing } = (await ledger.run(ref)) ?? {};
        return 'key' in standing ? standing : null;
      };
      return { ports: { ...ports, ledger: altered(ledger, { run }) }, job };
    },
  },
};

const keepsPlaceInPause: Mutant = {
  name: 'paused-waiter-keeps-its-place',
  what: 'a run of a paused job stays counted at its pools, and nobody else gets of them',
  alter: {
    reconciler: (ports) => {
      const { ledger } = ports;
      const move: Ledger['move'] = (ref, fence, change, options) => {
        const standsBack = change.clear?.includes('waitsFor') && change.set.reason === 'slot';
        return standsBack ? Promise.resolve({ kind: 'conflict' }) : ledger.move(ref, fence, change, options);
      };
      return { ...ports, ledger: altered(ledger, { move }) };
    },
  },
};

function freed(pools: readonly PoolEffect[] = []): PoolEffect[] {
  return pools.flatMap(({ pool, hold }) => (hold?.kind === 'free' ? [{ pool, hold }] : []));
}

function effectsOnPools(other: (effect: PoolEffect) => PoolEffect): Alterations {
  const changed = (pools: readonly PoolEffect[] | undefined) => pools && { pools: pools.map(other) };
  return {
    ledger: (ledger) =>
      altered(ledger, {
        create: (run, effect) => ledger.create(run, effect && { ...effect, ...changed(effect.pools) }),
        move: (ref, fence, change, { effect, ...options } = {}) => {
          const all = effect && { effect: { ...effect, ...changed(effect.pools) } };
          return ledger.move(ref, fence, change, { ...options, ...all });
        },
      }),
  };
}

export const poolMutants: readonly Mutant[] = [
  freedWithoutToken,
  freedAtRequest,
  newcomerAtPool,
  waiterStillCounted,
  noReservation,
  capacityAddedTwice,
  waitWithoutSlot,
  keepsPlaceInPause,
  rerunThoughCanceled,
  requestUnheard,
];
