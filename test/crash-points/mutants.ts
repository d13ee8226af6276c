import type { Ledger } from '../../functions/domain/ledger.ts';
import type { StepAnswer, StepRecord } from '../../functions/domain/steps.ts';
import { isFinish, moving, standing } from '../interleavings/mutations.ts';
import { ledgerWith } from '../runtime/world.ts';
import { type Enumeration, singles, zombies, zombiesAmidst } from './enumerate.ts';
import type { Scene } from './play.ts';
import type { Mutate } from './world.ts';

interface Mutant {
  /** What shows it, and by which strikes. */
  readonly scene: Scene;
  readonly by: Enumeration;
  readonly mutate: Mutate;
}

/** The ledger as a job's process has it, with something left out that a promise of steps rests on. */
export const mutants: Readonly<Record<string, Mutant>> = {
  'a marker outside of the transaction': {
    scene: { job: 'a map that commits each item', policy: 'resume' },
    by: singles,
    mutate: writing(async (ledger, [ref, fence, { writes = [], ...write }]) => {
      if (writes.length === 0) return ledger.writeStep(ref, fence, write);
      const { step } = write;
      const apart = { ...step, name: `${step.name} by ${step.token}` };
      const answer = await ledger.writeStep(ref, fence, { step: apart, replaces: null, writes });
      return answer.kind === 'done' ? ledger.writeStep(ref, fence, write) : answer;
    }),
  },
  'an intent that is written after the work': {
    scene: { job: 'once, without and with verify', policy: 'resume' },
    by: singles,
    mutate: writing(async (ledger, [ref, fence, write]) => {
      const { step, replaces } = write;
      if (step.state === 'begun') return { kind: 'done' };
      if (step.kind !== 'once' || replaces?.state !== 'begun') return ledger.writeStep(ref, fence, write);
      await ledger.writeStep(ref, fence, { step: intentOf(step), replaces: null });
      return ledger.writeStep(ref, fence, write);
    }),
  },
  'a hop without fence': {
    scene: { job: 'three hops with steps', policy: 'resume' },
    by: zombies,
    mutate: moving(async (ledger, [ref, fence, change, options]) =>
      ledger.move(ref, change.set.unsent ? await standing(ledger, ref, fence) : fence, change, options),
    ),
  },
  'a step without fence': {
    scene: { job: 'three steps, one of them retried', policy: 'resume' },
    by: zombies,
    mutate: unfenced('step'),
  },
  'a batch of a map without fence': {
    scene: { job: 'a map', policy: 'resume' },
    by: zombies,
    mutate: unfenced('map'),
  },
  'a commit without fence': {
    scene: { job: 'a map that commits each item', policy: 'resume' },
    by: zombiesAmidst,
    mutate: unfenced('commit'),
  },
  'an intent without fence': {
    scene: { job: 'once, without and with verify', policy: 'resume' },
    by: zombies,
    mutate: unfenced('once'),
  },
  'a finish without fence': {
    scene: { job: 'a failing job that is tried again', policy: 'resume' },
    by: zombies,
    mutate: moving(async (ledger, [ref, fence, change, options]) =>
      ledger.move(ref, isFinish(change) ? await standing(ledger, ref, fence) : fence, change, options),
    ),
  },
  "a finish that is not in the final commit's transaction": {
    scene: { job: 'steps and a final commit', policy: 'resume' },
    by: singles,
    mutate: writing(async (ledger, [ref, fence, { last, ...write }]) => {
      const answer = await ledger.writeStep(ref, fence, write);
      if (last === undefined || answer.kind !== 'done') return answer;
      return ledger.move(ref, fence, last.change, { effect: last.effect });
    }),
  },
  'results that are not read by those that resume': {
    scene: { job: 'three steps, one of them retried', policy: 'resume' },
    by: singles,
    mutate: (ledger) => ledgerWith(ledger, { steps: async () => [] }),
  },
  'a step that does not know its own record again': {
    scene: { job: 'three steps, one of them retried', policy: 'resume' },
    by: singles,
    mutate: writing(async (ledger, [ref, fence, write]) => {
      const answer = await ledger.writeStep(ref, fence, write);
      if (answer.kind !== 'refused' || !answer.step) return answer;
      return { ...answer, step: { ...answer.step, token: 'of another' } };
    }),
  },
};

type Write = Parameters<Ledger['writeStep']>;

function writing(writeStep: (ledger: Ledger, how: Write) => Promise<StepAnswer>): Mutate {
  return (ledger) => ledgerWith(ledger, { writeStep: (...how) => writeStep(ledger, how) });
}

/** Steps of this kind are written whoever owns the run. */
function unfenced(kind: StepRecord['kind']): Mutate {
  return writing(async (ledger, [ref, fence, write]) =>
    ledger.writeStep(ref, write.step.kind === kind ? await standing(ledger, ref, fence) : fence, write),
  );
}

function intentOf({ result: _result, ...step }: StepRecord): StepRecord {
  return { ...step, state: 'begun' };
}
