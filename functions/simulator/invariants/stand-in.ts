import { isDeepStrictEqual } from 'node:util';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import type { Body, Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';

/** One run stands for at most so many fires by name. */
const mostCovers = 12_000;

export const standIn: Invariant = {
  name: 'stand-in',
  rule: 'a superseded fire is left to a newer run, which runs and is told of every fire that it stands for',
  watch(violate) {
    const runs = new Map<string, Run>();
    /** By the run that took their place. */
    const superseded = new Map<string, Run[]>();
    const lastBody = new Map<string, Body>();
    return {
      wroteRun(_at, before, after) {
        if (after === null) return;
        runs.set(runId(after), after);
        const by = replacementOf(after);
        if (by === undefined || before?.supersededBy === by) return;
        if (by <= after.key) violate(`was superseded by ${by}, which is not newer`, after);
        const id = runId({ jobId: after.jobId, key: by });
        superseded.set(id, [...(superseded.get(id) ?? []), after]);
      },
      bodyBegan(_at, body) {
        lastBody.set(runId(body), body);
        const stoodFor = standsFor(body, superseded);
        if (!isDeepStrictEqual(body.covers, stoodFor))
          violate(`was told of ${body.covers.length} fires, and stands for ${stoodFor.length}`, body);
      },
      atRest() {
        for (const run of [...superseded.values()].flat()) {
          const problem = endProblem(run, { runs, lastBody });
          if (problem !== null) violate(problem, run);
        }
      },
    };
  },
};

/** Which run stands for it; undefined: none. One that was canceled for a newer fire is left to nobody. */
function replacementOf({ state, supersededBy }: Run): string | undefined {
  return state === 'skipped' ? supersededBy : undefined;
}

/** Every fire whose chain leads to this run, oldest first. */
function standsFor(body: Body, superseded: ReadonlyMap<string, readonly Run[]>): number[] {
  const found: number[] = [];
  const left = [runId(body)];
  for (let id = left.pop(); id !== undefined; id = left.pop())
    for (const run of superseded.get(id) ?? []) {
      left.push(runId(run));
      found.push(run.fireTime);
    }
  return found.sort((a, b) => a - b).slice(-mostCovers);
}

/** What is wrong with the run at the end of a superseded one's chain, or null. */
function endProblem(
  run: Run,
  { runs, lastBody }: { runs: ReadonlyMap<string, Run>; lastBody: ReadonlyMap<string, Body> },
): string | null {
  let end: Run | undefined = run;
  for (let by = replacementOf(run); end !== undefined && by !== undefined; by = end && replacementOf(end))
    end = runs.get(runId({ jobId: end.jobId, key: by }));
  if (end === undefined) return 'was superseded by a run that does not exist';
  if (end.state === 'skipped' || end.state === 'missed')
    return `was superseded by ${end.key}, which is ${stateText(end)}`;
  const body = lastBody.get(runId(end));
  const isTold = body?.covers.includes(run.fireTime) ?? true;
  return !isTold ? `was superseded by ${end.key}, which was not told of it` : null;
}
