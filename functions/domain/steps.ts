import type { LastWrite } from './finish.ts';
import type { Answer } from './ledger.ts';
import type { Run } from './run.ts';

export type StepKind = 'step' | 'once' | 'commit' | 'map';

/** What is known of one step of a run, whichever attempt made it. */
export interface StepRecord {
  /** 1 to 100 characters; of a batch of `map` a # and its number follow. */
  readonly name: string;
  readonly kind: StepKind;
  /**
   * `begun`: of `once` alone; while nothing else is known, nobody knows whether it was done. `not-done`: a person says that it
   * wasn't, so that it may be begun once more.
   */
  readonly state: 'begun' | 'done' | 'not-done';
  /** Of one that is `begun`: its code can find out by itself whether it was done. */
  readonly verifies?: true;
  /** JSON; absent: undefined. Of a batch of `map` a list of `[key, result]`, or `[key]` where the result is undefined. */
  readonly result?: unknown;
  readonly at: number;
  /** How often its run had been begun anew: a plain step of before counts no more. */
  readonly restarts: number;
  /** The attempt that wrote it. */
  readonly token: string;
}

/** A write of the author's own, as the document client takes it: one of these. */
export type AuthorWrite = Readonly<
  Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', Readonly<Record<string, unknown>>>>
>;

/**
 * A step's record, which takes the place of the one that it names (null: there is none). In the same transaction the author's
 * writes and, if it is the run's last step, the run's finish.
 */
export interface StepWrite {
  readonly step: StepRecord;
  readonly replaces: Pick<StepRecord, 'state' | 'token'> | null;
  readonly writes?: readonly AuthorWrite[];
  readonly last?: LastWrite;
}

/**
 * What became of a step's write. Refused as any write of a run is: nothing was written. `run`: the record, when it is not where
 * the fence says. `step`: the record that is there in the place of what was expected (null: none is). `writes`: the places of
 * the author's writes whose conditions failed. Absent: that condition held.
 */
export type StepAnswer =
  | Extract<Answer, { kind: 'done' | 'conflict' }>
  | (Extract<Answer, { kind: 'refused' }> & {
      readonly step?: StepRecord | null;
      readonly writes?: readonly number[];
    });

/** Results of steps are no larger, as JSON. */
export const largestStepBytes = 300 * 1024;

/** DynamoDB's limit of one transaction. */
const mostItems = 100;
const runAndStep = 2;

/** How many writes of an author's fit in one transaction, beside ours. */
export function roomForWrites(last?: LastWrite): number {
  const { pools = [] } = last?.effect ?? {};
  return mostItems - runAndStep - (last === undefined ? 0 : 1 + pools.length);
}

/** What stands of a step for an attempt of this run: a plain one of before a restart, and one that wasn't done, counts no more. */
export function counts(step: StepRecord, { restarts = 0 }: Pick<Run, 'restarts'>): boolean {
  if (step.state === 'not-done') return false;
  return step.kind === 'once' || step.kind === 'commit' || step.restarts === restarts;
}

/** Of a run that nobody executes: the oldest step of which only a person can find out whether it was done. */
export function stepInDoubt(steps: readonly StepRecord[]): string | undefined {
  const begun = steps.filter(({ state, verifies }) => state === 'begun' && verifies === undefined);
  return begun.sort((a, b) => a.at - b.at)[0]?.name;
}

/** It was written once the run had been begun anew, so that an attempt of before has lost the run. */
export function isOfLaterStart(step: StepRecord, { restarts = 0 }: Pick<Run, 'restarts'>): boolean {
  return step.restarts > restarts;
}

/**
 * What a step's write came to. `fenced`: the run is another attempt's by now, or settled. `taken`: something else stands in its
 * place. A record with the same token and state is this attempt's own, whose answer was lost.
 */
export function writtenOrNot(
  answer: StepAnswer,
  ours: Pick<StepRecord, 'state' | 'token'>,
): 'written' | 'fenced' | 'taken' | 'writes-refused' | 'conflict' {
  if (answer.kind === 'done') return 'written';
  if (answer.kind === 'conflict') return 'conflict';
  const { run, step, writes = [] } = answer;
  if (run !== undefined) return 'fenced';
  if (step?.token === ours.token && step.state === ours.state) return 'written';
  if (step !== undefined) return 'taken';
  return writes.length > 0 ? 'writes-refused' : 'fenced';
}

/** What a person says of a step of which nobody knew: its record from now on. */
export function toldOf(
  step: StepRecord,
  said: { readonly done: true; readonly result?: unknown } | { readonly done: false },
  now: number,
): StepRecord {
  const { result: _unknown, ...of } = step;
  if (!said.done) return { ...of, state: 'not-done', at: now };
  const { result } = said;
  return { ...of, state: 'done', at: now, ...(result !== undefined && { result }) };
}
