import { isDeepStrictEqual } from 'node:util';
import type { Attempt, Run } from '../../domain/run.ts';
import type { Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';

export const fence: Invariant = {
  name: 'fence',
  rule: 'whoever takes a run over replaces its token, and nothing that went before is written any more',
  watch(violate) {
    return {
      wroteRun(_at, before, after) {
        if (after === null) return;
        for (const problem of [attemptsProblem(before, after), tokenProblem(before, after)])
          if (problem !== null) violate(problem, after);
      },
    };
  },
};

function attemptsProblem(before: Run | null, { attempts }: Run): string | null {
  const earlier = before?.attempts ?? [];
  if (attempts.length < earlier.length || attempts.length > earlier.length + 1)
    return `had ${earlier.length} attempts and has ${attempts.length}`;
  if (attempts.some(({ number }, index) => number !== index + 1)) return 'has attempts out of order';
  const changed = earlier.find((attempt, index) => !isContinued(attempt, attempts[index]));
  if (changed) return `its attempt ${changed.number} was rewritten`;
  const tokens = new Set(attempts.map(({ token }) => token));
  return tokens.size < attempts.length ? 'has two attempts with one token' : null;
}

/** An attempt that is settled stays as it is; to one that isn't, only something may be added. */
function isContinued(before: Attempt, after: Attempt | undefined): boolean {
  if (before.outcome !== undefined || after === undefined) return isDeepStrictEqual(before, after);
  return isDeepStrictEqual(after, { ...after, ...before });
}

function tokenProblem(before: Run | null, after: Run): string | null {
  const last = after.attempts.at(-1);
  if (after.state === 'running' && (last?.token !== after.token || last.outcome !== undefined))
    return 'is running, and its token is not that of an open attempt';
  if (before === null) return null;
  const isMoved = before.state !== after.state || after.attempts.length > before.attempts.length;
  if (!isMoved) return null;
  const isOwn = isOwnFinish(before, after);
  if (isOwn !== (before.token === after.token))
    return `became ${stateText(after)} ${isOwn ? 'by its own attempt, and its token changed' : 'by another, and kept its token'}`;
  return null;
}

/** The attempt itself ends its run, or says how it goes on; one that is found dead is ended by another. */
function isOwnFinish(before: Run, after: Run): boolean {
  const outcome = after.attempts.at(-1)?.outcome;
  const isMarked = before.timedOutAt !== undefined;
  const { state } = after;
  const isFinish =
    ['succeeded', 'failed', 'retrying'].includes(state) ||
    (state === 'canceled' && outcome === 'canceled') ||
    (state === 'offered' && after.unsent === true) ||
    (state === 'parked' && after.reason === 'uncertain-step');
  return before.state === 'running' && isFinish && outcome !== 'crashed' && !isMarked;
}
