import type { Effect, PoolEffect } from '../../functions/domain/ledger.ts';
import type { Run } from '../../functions/domain/run.ts';
import { ledgerWith } from '../runtime/world.ts';
import { heldBy } from '../support/pool-rules.ts';
import { creating, isCrash, isFinish, type Move, type Mutant, moving } from './mutations.ts';

type Options = Move[3];

const none = () => null;

/** Of pools, and of runs that are asked to end. */
export const poolMutants: Readonly<Record<string, Mutant>> = {
  'a newcomer that does not look who waits': {
    world: 'a heavy run that waits, and a light newcomer',
    mutate: creating((ledger, run, effect) =>
      ledger.create(run, effect && repooled(effect, ({ require: _unwaited, ...of }) => of)),
    ),
  },
  'a wait for a pool that is not counted': {
    world: 'two jobs at one pool',
    mutate: creating((ledger, run, effect) =>
      ledger.create(run, effect && run.state === 'waiting' ? repooled(effect, none) : effect),
    ),
  },
  'an admission that stays counted': {
    world: 'two jobs at one pool',
    mutate: moving((ledger, [ref, fence, change, options]) => {
      const isAdmitted = fence.state === 'waiting' && change.set.state === 'offered';
      return ledger.move(ref, fence, change, isAdmitted ? otherwise(options, uncounted) : options);
    }),
  },
  'a finish that keeps its hold': {
    world: 'two jobs at one pool',
    mutate: moving((ledger, [ref, fence, change, options]) =>
      ledger.move(ref, fence, change, isFinish(change) ? otherwise(options, none) : options),
    ),
  },
  'a fire that is dropped and stays counted': {
    world: 'a run that has waited too long for a pool',
    mutate: moving((ledger, [ref, fence, change, options]) =>
      ledger.move(ref, fence, change, change.set.state === 'skipped' ? otherwise(options, none) : options),
    ),
  },
  'a job that needs other pools, whose run stays counted where it was': {
    world: 'a job needs other pools',
    mutate: moving((ledger, [ref, fence, change, options]) => {
      const isRecounted = fence.state === 'waiting' && change.set.state === 'waiting';
      return ledger.move(ref, fence, change, isRecounted ? otherwise(options, none) : options);
    }),
  },
  'a request to cancel that frees the hold': {
    world: 'a person cancels what runs, and what waits for it',
    mutate: moving(async (ledger, [ref, fence, change, options]) => {
      const isRequest = change.set.cancelRequested !== undefined && change.set.state === 'running';
      return ledger.move(ref, fence, change, isRequest ? freeing(await ledger.run(ref), options) : options);
    }),
  },
  'a crash that frees the hold of a run that goes on': {
    world: "a dead run's hold and who waits for it",
    mutate: moving(async (ledger, [ref, fence, change, options]) => {
      const goesOn = isCrash(change) && change.set.state === 'offered';
      return ledger.move(ref, fence, change, goesOn ? freeing(await ledger.run(ref), options) : options);
    }),
  },
  'a take-over that passes by a request to cancel': {
    world: 'a person cancels a run in the midst of the sweep that settles it',
    mutate: moving((ledger, [ref, { unasked: _unasked, ...fence }, ...how]) =>
      ledger.move(ref, fence, ...how),
    ),
  },
  'a reconciler that sees no request to cancel': {
    world: 'a person cancels a run that dies',
    mutate: (ledger) =>
      ledgerWith(ledger, {
        runs: async (...how) =>
          (await ledger.runs(...how)).map(({ cancelRequested: _request, ...run }) => run),
        move: (ref, { unasked: _unasked, ...fence }, ...how) => ledger.move(ref, fence, ...how),
      }),
  },
};

/** A write with another effect on each of its pools; null: with none. */
function repooled(effect: Effect, change: (of: PoolEffect) => PoolEffect | null): Effect {
  const { pools = [], ...others } = effect;
  const changed = pools.flatMap((of) => change(of) ?? []);
  return { ...others, ...(changed.length > 0 && { pools: changed }) };
}

/** A move that has an effect has another one. */
function otherwise(options: Options, change: (of: PoolEffect) => PoolEffect | null): Options {
  return options?.effect && { ...options, effect: repooled(options.effect, change) };
}

function uncounted({ addWaiting: _less, ...of }: PoolEffect): PoolEffect {
  return of;
}

function freeing(run: Run | null, options: Options): Options {
  const holds = Object.entries(run === null ? {} : heldBy(run));
  const pools = holds.map(([pool, weight]) => ({ pool, hold: { kind: 'free', weight } as const }));
  return pools.length > 0 ? { ...options, effect: { ...options?.effect, pools } } : options;
}
