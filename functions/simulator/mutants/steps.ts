import type { Ledger } from '../../domain/ledger.ts';
import type { StepAnswer, StepRecord } from '../../domain/steps.ts';
import { altered, type Mutant } from './mutant.ts';

const markerApart: Mutant = {
  name: 'marker-outside-transaction',
  what: "a commit's marker is written after the transaction of its writes",
  alter: writing(async (ledger, [ref, fence, { writes = [], ...write }]) => {
    if (writes.length === 0) return ledger.writeStep(ref, fence, write);
    const { step } = write;
    const apart = { ...step, name: `${step.name} by ${step.token}` };
    const answer = await ledger.writeStep(ref, fence, { step: apart, replaces: null, writes });
    return answer.kind === 'done' ? ledger.writeStep(ref, fence, write) : answer;
  }),
};

const lateIntent: Mutant = {
  name: 'intent-after-work',
  what: 'the intent of a once is written after its work',
  alter: writing(async (ledger, [ref, fence, write]) => {
    const { step, replaces } = write;
    if (step.state === 'begun') return { kind: 'done' };
    if (step.kind !== 'once' || replaces?.state !== 'begun') return ledger.writeStep(ref, fence, write);
    await ledger.writeStep(ref, fence, { step: intentOf(step), replaces: null });
    return ledger.writeStep(ref, fence, write);
  }),
};

const stepUnfenced: Mutant = {
  name: 'step-without-fence',
  what: 'a step is written whoever owns its run now',
  alter: writing(async (ledger, [ref, fence, write]) =>
    ledger.writeStep(ref, (await ledger.run(ref)) ?? fence, write),
  ),
};

const hopUnfenced: Mutant = {
  name: 'hop-without-fence',
  what: 'a run goes on in another attempt whoever owns it now',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        move: async (ref, fence, change, options) => {
          const isHop = change.set.unsent === true;
          return ledger.move(ref, (isHop && (await ledger.run(ref))) || fence, change, options);
        },
      }),
  },
};

const slotFreedByHop: Mutant = {
  name: 'slot-freed-by-hop',
  what: 'a run that goes on in another attempt gives its slot back until then',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        move: async (ref, fence, change, options = {}) => {
          const run = change.set.unsent === true ? await ledger.run(ref) : null;
          if (!run?.hasSlot) return ledger.move(ref, fence, change, options);
          const freed = { ...change, set: { ...change.set, hasSlot: false } };
          return ledger.move(ref, fence, freed, { ...options, effect: { ...options.effect, slot: 'free' } });
        },
      }),
  },
};

const resultsForgotten: Mutant = {
  name: 'results-not-read',
  what: 'a resumed attempt does not read what its run has done',
  alter: { ledger: (ledger) => altered(ledger, { steps: async () => [] }) },
};

const batchTooEarly: Mutant = {
  name: 'result-before-work',
  what: 'a step that was begun is taken for done by the next attempt',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        steps: async (ref) =>
          (await ledger.steps(ref)).map((step) =>
            step.state === 'begun' ? { ...step, state: 'done' as const, result: 'made up' } : step,
          ),
      }),
  },
};

const finishApart: Mutant = {
  name: 'finish-outside-last-commit',
  what: "a last commit's finish is written after it",
  alter: writing(async (ledger, [ref, fence, { last, ...write }]) => {
    const answer = await ledger.writeStep(ref, fence, write);
    if (last === undefined || write.step.kind !== 'commit' || answer.kind !== 'done') return answer;
    return { kind: 'done' };
  }),
};

const cursorKept: Mutant = {
  name: 'cursor-kept-anew',
  what: 'a run that is begun anew goes on from the cursor of before',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        move: (ref, fence, change, options) => {
          const { clear, ...others } = change;
          const isAnew = change.set.restarts !== undefined && clear?.includes('cursor');
          const kept = isAnew
            ? { ...others, clear: clear?.filter((name) => name !== 'cursor') ?? [] }
            : change;
          return ledger.move(ref, fence, kept, options);
        },
      }),
  },
};

const retriesUnlimited: Mutant = {
  name: 'retries-unlimited',
  what: 'a failing run is tried again however often it has failed',
  alter: {
    job: ({ ports, job: { retry, ...job } }) => ({
      ports,
      job: { ...job, ...(retry && { retry: { ...retry, attempts: 1_000 } }) },
    }),
  },
};

const retryTooEarly: Mutant = {
  name: 'retry-before-due',
  what: 'a run that is to be tried again is taken for due at once',
  alter: {
    ledger: (ledger) => {
      const early = (run: Awaited<ReturnType<Ledger['run']>>) =>
        run?.state === 'retrying' ? { ...run, attentionAt: run.createdAt } : run;
      return altered(ledger, {
        run: async (ref) => early(await ledger.run(ref)),
        runs: async (refs) => (await ledger.runs(refs)).flatMap((run) => early(run) ?? []),
        open: (_until, limit, from) => ledger.open(Number.MAX_SAFE_INTEGER, limit, from),
      });
    },
  },
};

const resumedAnew: Mutant = {
  name: 'resume-forgets-steps',
  what: 'a crashed run that is to be resumed is begun anew',
  alter: {
    manifest: (manifest) => ({
      ...manifest,
      jobs: manifest.jobs.map((job) =>
        job.crashed === 'resume' ? { ...job, crashed: 'rerun' as const } : job,
      ),
    }),
  },
};

type Write = Parameters<Ledger['writeStep']>;

function writing(writeStep: (ledger: Ledger, how: Write) => Promise<StepAnswer>): Mutant['alter'] {
  return { ledger: (ledger) => altered(ledger, { writeStep: (...how) => writeStep(ledger, how) }) };
}

function intentOf({ result: _result, ...step }: StepRecord): StepRecord {
  return { ...step, state: 'begun' };
}

/** Faults of steps, hops and retries. */
export const stepMutants: readonly Mutant[] = [
  markerApart,
  lateIntent,
  stepUnfenced,
  hopUnfenced,
  slotFreedByHop,
  resultsForgotten,
  batchTooEarly,
  finishApart,
  cursorKept,
  retriesUnlimited,
  retryTooEarly,
  resumedAnew,
];
