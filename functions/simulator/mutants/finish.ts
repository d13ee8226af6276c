import { decideFinish } from '../../domain/finish.ts';
import { type RunRef, runId } from '../../domain/names.ts';
import { minute } from '../../domain/time.ts';
import { altered, type Mutant } from './mutant.ts';

const withoutFence: Mutant = {
  name: 'finish-without-fence',
  what: 'a finish is written whoever owns the run now',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        move: async (ref, fence, change, options) => {
          const standing = await ledger.run(ref);
          const isFinish = fence.state === 'running' && change.settle?.outcome === 'succeeded';
          return ledger.move(ref, isFinish && standing !== null ? standing : fence, change, options);
        },
      }),
  },
};

const timedOutFreed: Mutant = {
  name: 'timed-out-run-freed',
  what: 'a run whose handler ignores its abort is settled at once, and its process lives on',
  alter: {
    job: ({ ports, job }) => {
      const { ledger, clock } = ports;
      const move: typeof ledger.move = async (ref, fence, change, options) => {
        const run = await ledger.run(ref);
        if (run === null || change.set.timedOutAt === undefined)
          return ledger.move(ref, fence, change, options);
        const error = { name: 'TimeoutError', message: 'ran past its timeout' };
        const of = {
          outcome: { kind: 'timed-out', error },
          attempt: run.attempts.length,
          now: clock(),
        } as const;
        const freed = decideFinish(run, of);
        return ledger.move(ref, fence, freed.change, { effect: freed.effect });
      };
      return { ports: { ...ports, exit: () => {}, ledger: altered(ledger, { move }) }, job };
    },
  },
};

const exitForgotten: Mutant = {
  name: 'process-kept-after-abort',
  what: 'the process of a handler that ignored its abort serves on',
  alter: { job: ({ ports, job }) => ({ ports: { ...ports, exit: () => {} }, job }) },
};

const slotKept: Mutant = {
  name: 'slot-not-given-back',
  what: "a finish leaves its job's slot taken",
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        move: (ref, fence, change, options = {}) => {
          const { slot, ...effect } = options.effect ?? {};
          const isFinish = change.settle?.outcome === 'succeeded' && slot === 'free';
          return ledger.move(ref, fence, change, isFinish ? { effect } : options);
        },
      }),
  },
};

const shortRetention: Mutant = {
  name: 'short-retention',
  what: 'a record expires before the last delivery of its fire',
  alter: {
    ledger: (ledger, now) => {
      const settled = new Map<string, { readonly ref: RunRef; readonly at: number }>();
      const expire = () => {
        for (const [id, { ref, at }] of settled) {
          if (at > now() - minute) continue;
          ledger.expire(ref);
          settled.delete(id);
        }
      };
      return altered(ledger, {
        create: (run, effect) => {
          expire();
          return ledger.create(run, effect);
        },
        move: (ref, fence, change, options) => {
          if (change.set.settledAt !== undefined) settled.set(runId(ref), { ref, at: now() });
          return ledger.move(ref, fence, change, options);
        },
      });
    },
  },
};

export const finishMutants: readonly Mutant[] = [
  withoutFence,
  timedOutFreed,
  exitForgotten,
  slotKept,
  shortRetention,
];
