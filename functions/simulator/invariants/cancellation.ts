import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { minute } from '../../domain/time.ts';
import type { Invariant, WorldView } from '../observe.ts';
import { everDeployed } from './models/deployed.ts';
import { isTerminal, stateText } from './models/records.ts';

/** An attempt looks at its record each 10 s and has 15 s to end. A store that answers sweeps for so many minutes answers it, too. */
const mostMinutes = 2;

interface Asked {
  readonly at: number;
  /** Of the last sweep that counted. */
  readonly sweptAt: number;
  /** Minutes in which a sweep came to its end since. */
  readonly minutes: number;
}

export const cancellation: Invariant = {
  name: 'cancellation',
  rule: 'a run that is asked to end hears of it within minutes and never runs again: it is canceled, unless its code came to its own end before',
  watch(violate, world) {
    const asked = new Map<string, Asked>();
    return {
      wroteRun(at, before, after, byOperator) {
        if (after === null) return;
        const id = runId(after);
        const isRequest = before?.cancelRequested === undefined && after.cancelRequested !== undefined;
        if (isRequest) asked.set(id, { at, sweptAt: at, minutes: 0 });
        const problem = isRequest
          ? requestProblem(after, byOperator, world)
          : goingOnProblem(before, after, asked.has(id));
        if (problem !== null) violate(problem, after);
        if (isTerminal(after) || after.cancelRequested === undefined) asked.delete(id);
      },
      swept(at) {
        for (const [id, { sweptAt, minutes, ...others }] of asked)
          if (at >= sweptAt + minute) asked.set(id, { ...others, sweptAt: at, minutes: minutes + 1 });
      },
      bodyEnded(at, body) {
        const request = asked.get(runId(body));
        if (request !== undefined && request.minutes > mostMinutes)
          violate(`its code went on for ${at - request.at} ms after the run was asked to end`, body);
      },
      bodyBegan(_at, body) {
        // The request may come between an attempt's start and its code.
        if ((asked.get(runId(body))?.minutes ?? 0) > 1)
          violate(`attempt ${body.attempt} began after the run was asked to end`, body);
      },
    };
  },
};

/** Somebody else's request is that of a newer fire, where such runs are to be replaced. */
function requestProblem(
  { jobId, key, cancelRequested: request }: Run,
  byOperator: boolean,
  world: WorldView,
): string | null {
  if (byOperator === (request?.reason === 'operator')) {
    if (byOperator) return null;
    const replaces = everDeployed(world, jobId).some(({ overlap }) => overlap === 'cancel-running');
    return replaces && (request?.by ?? key) > key ? null : `was asked to end for ${request?.by}`;
  }
  return `was asked to end: ${request?.reason} ${byOperator ? 'by a person' : 'by itself'}`;
}

/** Once asked it goes on with the same attempt, or ends: canceled, or as its code ended, which may not have heard of it. */
function goingOnProblem(before: Run | null, after: Run, isAsked: boolean): string | null {
  const { state, reason, attempts } = after;
  if (before?.state === state && before.attempts.length === attempts.length) return null;
  if (!isAsked)
    return state === 'canceled' && reason !== 'removed'
      ? `is ${stateText(after)}, and nobody asked for that`
      : null;
  if (before?.state === 'parked') return null;
  const last = attempts.at(-1)?.outcome;
  const hasEnded = last !== undefined && last !== 'crashed' && before?.state === 'running';
  return state === 'canceled' || hasEnded ? null : `was asked to end, and became ${stateText(after)}`;
}
