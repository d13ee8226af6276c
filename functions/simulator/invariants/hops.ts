import { isDeepStrictEqual } from 'node:util';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import type { Body, Invariant } from '../observe.ts';
import { isTerminal, stateText } from './models/records.ts';

export const hops: Invariant = {
  name: 'hops',
  rule: 'a run that goes on in another attempt keeps its slot and its holds, lets no other run of its job in between, and goes on from where its last attempt ended, or at its beginning when it is begun anew',
  watch(violate) {
    /** Where a run is to go on, by its code's own word. */
    const cursors = new Map<string, unknown>();
    /** What the code of an attempt came to, by token. */
    const came = new Map<string, unknown>();
    /** The run of a job that is between two of its attempts, and has the slot. */
    const between = new Map<string, string>();
    return {
      bodyEnded(_at, { token }, end, value) {
        if (end === 'returned') came.set(token, cursorIn(value));
      },
      bodyBegan(_at, body) {
        const run = runId(body);
        const expected = cursors.get(run);
        if (!isDeepStrictEqual(body.cursor, expected))
          violate(`attempt ${body.attempt} went on from ${text(body.cursor)}, not ${text(expected)}`, body);
        checkAlone(body, run);
      },
      wroteRun(_at, before, after) {
        if (after === null) return;
        const run = runId(after);
        if (isAnew(before, after) || isTerminal(after)) cursors.delete(run);
        const isHop = hopsIn(after) > hopsIn(before);
        if (isHop) goesOn(after, came.get(before?.token ?? ''));
        checkPlace(before, after, isHop || (between.get(after.jobId) === run && after.state === 'offered'));
        for (const { token, outcome } of after.attempts) if (outcome !== undefined) came.delete(token);
      },
    };

    function goesOn(run: Run, cursor: unknown): void {
      cursors.set(runId(run), cursor);
      if (run.state !== 'offered') violate(`is to go on, and is ${stateText(run)}`, run);
    }

    function checkPlace(before: Run | null, after: Run, isBetween: boolean): void {
      const run = runId(after);
      if (isBetween && !isKept(before, after)) violate('is to go on, and lost its place', after);
      if (isBetween && after.hasSlot) between.set(after.jobId, run);
      else if (between.get(after.jobId) === run) between.delete(after.jobId);
    }

    function checkAlone({ jobId, byOffer, attempt }: Body, run: string): void {
      const other = between.get(jobId);
      if (other !== undefined && other !== run && !(byOffer && attempt > 1))
        violate(`${run} began, and ${other} is to go on and has the slot`);
    }
  },
};

function isAnew(before: Run | null, after: Run): boolean {
  return (after.restarts ?? 0) > (before?.restarts ?? 0);
}

function cursorIn(value: unknown): unknown {
  const isContinuation = typeof value === 'object' && value !== null && 'cursor' in value;
  return isContinuation ? value.cursor : undefined;
}

function hopsIn(run: Run | null): number {
  return run?.attempts.filter(({ outcome }) => outcome === 'continued').length ?? 0;
}

function isKept(before: Run | null, { hasSlot, holds }: Run): boolean {
  return before?.hasSlot === hasSlot && isDeepStrictEqual(before?.holds, holds);
}

function text(cursor: unknown): string {
  return JSON.stringify(cursor) ?? 'the beginning';
}
