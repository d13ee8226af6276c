import { minute } from '../../functions/domain/time.ts';
import { ledgerWith } from '../runtime/world.ts';
import {
  creating,
  isCrash,
  isFinish,
  isTaken,
  leaseless,
  type Mutant,
  moving,
  standing,
  untallied,
} from './mutations.ts';
import { poolMutants } from './pool-mutants.ts';

/** The ledger with something left out that a promise rests on, and a world that shows it. */
export const mutants: Readonly<Record<string, Mutant>> = {
  'a claim without its condition': {
    world: 'two deliveries and a sweep',
    mutate: creating(async (ledger, run, effect) => {
      const answer = await ledger.create(run, effect);
      return isTaken(answer) && run.state === 'running' ? { kind: 'done' } : answer;
    }),
  },
  'a start that does not look at the slot': {
    world: 'a run and the next fires',
    mutate: creating((ledger, run, { slot: _slot, ...effect } = {}) => ledger.create(run, effect)),
  },
  'a start that does not look at the pause': {
    world: 'a pause and starts',
    mutate: creating((ledger, run, effect = {}) => {
      const { unpaused: _unpaused, ...require } = effect.require ?? {};
      return ledger.create(run, { ...effect, require });
    }),
  },
  'a start under a schedule that is not in force': {
    world: 'a new schedule and deliveries',
    mutate: creating((ledger, run, { require: _require, ...effect } = {}) => ledger.create(run, effect)),
  },
  'a finish without fence': {
    world: "a finish and its lease's end",
    mutate: moving(async (ledger, [ref, fence, change, options]) =>
      ledger.move(ref, isFinish(change) ? await standing(ledger, ref, fence) : fence, change, options),
    ),
  },
  'a crash that is settled without fence': {
    world: 'a finish in the midst of the sweep that settles it',
    mutate: moving(async (ledger, [ref, fence, change, options]) =>
      ledger.move(ref, isCrash(change) ? await standing(ledger, ref, fence) : fence, change, options),
    ),
  },
  "an offer's token that is kept": {
    world: 'an offer delivered twice and an alarm',
    mutate: moving(async (ledger, [ref, fence, change, options]) => {
      if (fence.state !== 'offered' || change.set.state !== 'running')
        return ledger.move(ref, fence, change, options);
      const { token } = change.set;
      const kept = { ...change, set: { ...change.set, token: fence.token } };
      const answer = await ledger.move(ref, fence, kept, options);
      const isOwn = 'run' in answer && answer.run?.token === fence.token;
      return isOwn && answer.run && token ? { ...answer, run: { ...answer.run, token } } : answer;
    }),
  },
  'a lease that is over before its process': {
    world: "a finish and its lease's end",
    mutate: creating((ledger, run, effect) => {
      const { attentionAt } = run;
      const short = attentionAt === undefined ? {} : { attentionAt: attentionAt - 2 * minute };
      return ledger.create(run.state === 'running' ? { ...run, ...short } : run, effect);
    }),
  },
  'a report of a death that counts as its proof': {
    world: 'two deliveries and a sweep',
    mutate: (ledger) =>
      ledgerWith(ledger, {
        suspect: async (ref) => {
          const run = await ledger.run(ref);
          if (run?.state !== 'running') return false;
          await ledger.move(
            ref,
            { state: run.state, token: run.token },
            { set: { state: 'running', attentionAt: 0 } },
          );
          return true;
        },
      }),
  },
  'a missed fire that waits and is not counted': {
    world: 'missed fires of which one stands for all',
    mutate: creating((ledger, run, effect) => ledger.create(run, run.state === 'waiting' ? {} : effect)),
  },
  "a count from an old tally, by a sweep that takes another one's lease": {
    world: 'missed fires that are all made up, up to a limit',
    mutate: (ledger) =>
      ledgerWith(leaseless(ledger), {
        create: (run, effect) => ledger.create(run, effect && untallied(effect)),
        move: (ref, fence, change, { effect, ...options } = {}) =>
          ledger.move(ref, fence, change, effect ? { ...options, effect: untallied(effect) } : options),
      }),
  },
  ...poolMutants,
};
