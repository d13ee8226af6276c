import { isBillToCome, type Suspect, type Verdict } from '../../domain/contention/blame.ts';
import type { Holder } from '../../domain/contention/holding.ts';
import { type Shared, shareHeld } from '../../domain/contention/overlap.ts';
import { runId } from '../../domain/names.ts';
import { toIso } from '../../domain/time.ts';
import type { Explanation } from '../explanation.ts';
import type { Outlook } from '../outlook.ts';
import { pauseJson } from './pause-json.ts';
import { lateByMs } from './run-words.ts';

/** For scripts: instants as ISO texts, lengths in milliseconds, shares from 0 to 1, null where nobody knows. */
export function whyJson(explanation: Explanation): Readonly<Record<string, unknown>> {
  const { run, verdict, waits, outlook, unusual, earlier, slotHeldBy } = explanation;
  return {
    id: runId(run),
    state: run.state,
    reason: run.reason ?? null,
    uncertain: run.uncertain ?? null,
    lateByMs: lateByMs(run),
    requested: run.requested ? { ...run.requested, at: toIso(run.requested.at) } : null,
    verdict: verdict && verdictJson(verdict),
    waits: waits.map(({ wait: { from, until, ...wait }, behind }) => ({
      ...wait,
      from: toIso(from),
      until: toIso(until),
      ms: until - from,
      behind: behind.map(holderJson),
    })),
    slotHeldBy: slotHeldBy.map(({ run: owner }) => runId(owner)),
    outlook: outlook && outlookJson(outlook),
    comparedWith: earlier.length,
    unusual,
    overlaps: overlapsJson(explanation),
    shared: explanation.shared.map(sharedJson),
  };
}

function holderJson({ run, weights, heldMs }: Holder) {
  return { id: runId(run), weights, heldMs };
}

function outlookJson({ holders, at, paused, ...rest }: Outlook) {
  return {
    ...rest,
    holders: holders.map(({ run, weights, since, until, usualMs, bound }) => ({
      id: runId(run),
      weights,
      since: toIso(since),
      until: until === null ? null : toIso(until),
      usualMs,
      atTheLatest: bound && { ...bound, at: toIso(bound.at) },
      isSuspectedDead: run.suspected !== undefined,
    })),
    at: at === null ? null : toIso(at),
    paused: paused && pauseJson(paused),
  };
}

function verdictJson(verdict: Verdict) {
  if (verdict.kind === 'itself') return { ...verdict, shared: sharedJson(verdict.shared) };
  if (verdict.kind === 'culprit') return { ...verdict, suspect: suspectJson(verdict.suspect) };
  const { suspect, unmeasured } = verdict;
  return {
    ...verdict,
    suspect: suspect && suspectJson(suspect),
    unmeasured: unmeasured.map(runId),
    stillRunning: unmeasured.filter(isBillToCome).map(runId),
  };
}

function suspectJson({ run, shared: { name, unit, own, total }, ...rest }: Suspect) {
  return { id: runId(run), name, unit, own, total, ...rest };
}

function overlapsJson({ run, overlaps, capacities, now }: Explanation) {
  return overlaps.map(({ run: other, ...overlap }) => ({
    id: runId(other),
    ...overlap,
    held: Object.fromEntries(
      [...capacities].map(([pool, capacity]) => [pool, shareHeld(run, other, { pool, capacity, now })]),
    ),
  }));
}

function sharedJson({ used, ...rest }: Shared) {
  return { ...rest, used: used.map(({ run, ...share }) => ({ id: runId(run), ...share })) };
}
