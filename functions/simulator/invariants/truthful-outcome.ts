import { runId } from '../../domain/names.ts';
import type { Attempt, Run } from '../../domain/run.ts';
import type { Body, BodyEnd, Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';

export const truthfulOutcome: Invariant = {
  name: 'truthful-outcome',
  rule: 'what is recorded of an attempt is what happened, and what its process was told is recorded is',
  watch(violate) {
    const records = new Map<string, Run>();
    const ends = new Map<string, BodyEnd>();
    const told = new Map<string, string>();
    /** The run whose commit is being written: its finish may be in the same transaction, and its process dead by now. */
    let committing: string | null = null;
    return {
      wroteStep(_at, run, _before, { kind }) {
        committing = kind === 'commit' ? runId(run) : null;
      },
      bodyEnded(_at, body, end) {
        ends.set(attemptId(body, body.attempt), end);
      },
      finished(_at, body, outcome) {
        if (outcome === 'lost') return;
        told.set(attemptId(body, body.attempt), outcome);
        const recorded = outcomeOf(records.get(runId(body)), body);
        const isMarked = isMark(outcome) && recorded === undefined;
        if (recorded !== recordedAs(outcome) && !isMarked)
          violate(`was told that it is recorded as ${outcome}, and it is ${recorded ?? 'not'}`, body);
      },
      wroteRun(_at, before, after) {
        if (after === null) return;
        records.set(runId(after), after);
        const isCommit = committing === runId(after);
        committing = null;
        for (const { number, outcome } of justSettled(before, after)) {
          const id = attemptId(after, number);
          const end = isCommit ? 'returned' : ends.get(id);
          const problem = settleProblem(outcome, end, told.get(id));
          if (problem !== null) violate(problem, after);
        }
        const last = after.attempts.at(-1)?.outcome;
        if (after.state === 'succeeded' && last !== 'succeeded')
          violate(`is ${stateText(after)}, and its last attempt is ${last ?? 'open'}`, after);
      },
    };
  },
};

function attemptId(ref: Pick<Run, 'jobId' | 'key'>, number: number): string {
  return `${runId(ref)} ${number}`;
}

function outcomeOf(run: Run | undefined, { attempt }: Body): Attempt['outcome'] {
  return run?.attempts[attempt - 1]?.outcome;
}

/** Of an attempt that ended over an uncertain step nothing but its failure is on record; of its run the rest. */
function recordedAs(outcome: string): string {
  return outcome === 'uncertain' ? 'failed' : outcome;
}

function justSettled(before: Run | null, after: Run): readonly Attempt[] {
  return after.attempts.filter(
    ({ outcome }, index) => outcome !== undefined && before?.attempts[index]?.outcome === undefined,
  );
}

/** Code that ignores its abort may be alive: its run is marked, and settled when its lease ends. */
function isMark(outcome: string): boolean {
  return outcome === 'timed-out' || outcome === 'canceled';
}

/** `told`: what its process was told that is recorded. */
function settleProblem(
  outcome: Attempt['outcome'],
  end: BodyEnd | undefined,
  told: string | undefined,
): string | null {
  if (outcome === 'succeeded' && end !== 'returned')
    return `is recorded as succeeded, and its execution ${end ?? 'is not over'}`;
  if (outcome === 'crashed' && told !== undefined && !isMark(told))
    return `is recorded as crashed, after it was told that it ${told}`;
  return null;
}
