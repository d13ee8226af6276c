import type { Effect } from '../../domain/ledger.ts';
import type { Run } from '../../domain/run.ts';
import { day, fromIso, second } from '../../domain/time.ts';
import { altered, type Mutant } from './mutant.ts';

const claimWithoutCondition: Mutant = {
  name: 'claim-without-condition',
  what: 'a claim is a put that needs no absence of a record',
  alter: unconditional((run) => run.state === 'running'),
};

const recordWithoutCondition: Mutant = {
  name: 'record-without-condition',
  what: 'a wait, a skip or a miss is a put that needs no absence of a record',
  alter: unconditional(({ state }) => state === 'skipped' || state === 'waiting' || state === 'missed'),
};

/** Runs that are put over whatever record there is. */
function unconditional(isPut: (run: Run) => boolean): Mutant['alter'] {
  return {
    ledger: (ledger) =>
      altered(ledger, {
        create: async (run, effect) => {
          const standing = isPut(run) ? await ledger.run(run) : null;
          if (standing === null) return ledger.create(run, effect);
          const { attempts, ...set } = run;
          const [attempt] = attempts;
          const clear = (['reason', 'settledAt', 'error', 'attentionAt'] as const).filter(
            (name) => !(name in set),
          );
          const change = { set, clear, ...(attempt && { attempt }) };
          return ledger.move(run, standing, change, effect === undefined ? {} : { effect });
        },
      }),
  };
}

const lateAccepted: Mutant = {
  name: 'late-delivery-accepted',
  what: 'a delivery may start its fire though its grace is over',
  alter: { job: ({ ports, job }) => ({ ports, job: { ...job, graceMs: day } }) },
};

const earlyAccepted: Mutant = {
  name: 'early-delivery-accepted',
  what: 'a delivery may start its fire though it is not due',
  alter: {
    job: ({ ports, job, event }) => {
      const { scheduledTime } = event as { readonly scheduledTime?: string };
      const due = fromIso(scheduledTime ?? '') ?? 0;
      return { ports: { ...ports, clock: () => Math.max(ports.clock(), due) }, job };
    },
  },
};

const offerTokenKept: Mutant = {
  name: 'offer-token-kept',
  what: "an attempt keeps its offer's token as its own",
  alter: {
    job: ({ ports, job, event }) => {
      const { token } = event as { readonly token?: string };
      return { ports: token === undefined ? ports : { ...ports, drawToken: () => token }, job };
    },
  },
};

const shortLease: Mutant = {
  name: 'short-lease',
  what: 'a lease ends before its process may',
  alter: {
    job: ({ ports, job }) => {
      const leaseUntil = ports.clock() + second;
      const ledger = altered(ports.ledger, {
        create: (run, effect) =>
          ports.ledger.create(run.state === 'running' ? { ...run, attentionAt: leaseUntil } : run, effect),
        move: (ref, fence, change, options) => {
          const set = change.attempt === undefined ? change.set : { ...change.set, attentionAt: leaseUntil };
          return ports.ledger.move(ref, fence, { ...change, set }, options);
        },
      });
      return { ports: { ...ports, ledger }, job };
    },
  },
};

const slotTakenByNewcomer: Mutant = {
  name: 'slot-freed-by-newcomer',
  what: 'a start that finds the slot of an ended lease frees it',
  alter: {
    job: ({ ports, job }) => {
      const { ledger, clock } = ports;
      const create: typeof ledger.create = async (run, effect) => {
        const answer = await ledger.create(run, effect);
        const owner = answer.kind === 'refused' ? answer.job?.slot : undefined;
        const standing = owner === undefined ? null : await ledger.run({ jobId: run.jobId, key: owner });
        if (standing === null || (standing.attentionAt ?? clock()) >= clock()) return answer;
        await ledger.move(
          standing,
          standing,
          { set: { state: standing.state } },
          { effect: { slot: 'free' } },
        );
        return ledger.create(run, effect);
      };
      return { ports: { ...ports, ledger: altered(ledger, { create }) }, job };
    },
  },
};

const conflictIgnored: Mutant = {
  name: 'conflict-taken-for-done',
  what: 'a start that collided runs all the same',
  alter: {
    job: ({ ports, job }) => {
      const { ledger } = ports;
      const create: typeof ledger.create = async (run, effect) => {
        const answer = await ledger.create(run, effect);
        return answer.kind === 'conflict' ? { kind: 'done' } : answer;
      };
      return { ports: { ...ports, ledger: altered(ledger, { create }) }, job };
    },
  },
};

const pauseIgnored: Mutant = {
  name: 'pause-ignored',
  what: 'a start does not need its job unpaused',
  alter: requiring(({ unpaused: _ignored, ...require }) => require),
};

const specIgnored: Mutant = {
  name: 'version-ignored',
  what: 'a start does not need its own version of the schedule in force',
  alter: requiring(({ specId: _ignored, inForceBefore: _too, ...require }) => require),
};

const exceptionIgnored: Mutant = {
  name: 'exception-ignored',
  what: 'a fire that its job excepts is run',
  alter: {
    job: ({ ports, job }) => {
      const { except: _ignored, ...spec } = job.spec;
      return { ports, job: { ...job, spec } };
    },
  },
};

const duplicateUncounted: Mutant = {
  name: 'duplicate-uncounted',
  what: 'a refused delivery leaves no trace',
  alter: { ledger: (ledger) => altered(ledger, { countDuplicate: async () => {} }) },
};

const deadOverlaps: Mutant = {
  name: 'dead-run-overlaps',
  what: 'a fire is skipped for a run that is dead, and about which only nobody has decided yet',
  alter: {
    job: ({ ports, job }) => ({
      ports: { ...ports, ledger: altered(ports.ledger, { run: async () => null }) },
      job,
    }),
  },
};

const newcomerOvertakes: Mutant = {
  name: 'newcomer-overtakes',
  what: 'a start takes the slot though others wait for it',
  alter: requiring(({ unqueued: _ignored, ...require }) => require),
};

type Require = NonNullable<Effect['require']>;

function requiring(weaker: (require: Require) => Require): Mutant['alter'] {
  const weakened = (effect: Effect | undefined) =>
    effect?.require === undefined ? effect : { ...effect, require: weaker(effect.require) };
  return {
    ledger: (ledger) =>
      altered(ledger, {
        create: (run, effect) => ledger.create(run, weakened(effect)),
        move: (ref, fence, change, options = {}) => {
          const effect = weakened(options.effect);
          return ledger.move(ref, fence, change, effect === undefined ? {} : { effect });
        },
      }),
  };
}

export const startMutants: readonly Mutant[] = [
  claimWithoutCondition,
  recordWithoutCondition,
  lateAccepted,
  earlyAccepted,
  offerTokenKept,
  shortLease,
  slotTakenByNewcomer,
  conflictIgnored,
  pauseIgnored,
  specIgnored,
  exceptionIgnored,
  duplicateUncounted,
  deadOverlaps,
  newcomerOvertakes,
];
