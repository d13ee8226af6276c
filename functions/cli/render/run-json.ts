import { runId } from '../../domain/names.ts';
import { type Attempt, type Run, type Wait, waitingBand } from '../../domain/run.ts';
import { toIso } from '../../domain/time.ts';
import { lateByMs } from './run-words.ts';

/** A run's whole record as scripts read it: instants as ISO texts, lengths in milliseconds. */
export function runJson(run: Run): Readonly<Record<string, unknown>> {
  const {
    fireTime,
    createdAt,
    attentionAt,
    settledAt,
    timedOutAt,
    attempts,
    suspected,
    released,
    requested,
    covers,
    waitingSince,
    waits,
    cancelRequested,
    progress,
    ...rest
  } = run;
  return {
    id: runId(run),
    ...rest,
    fireTime: toIso(fireTime),
    createdAt: toIso(createdAt),
    ...(attentionAt === undefined || attentionAt >= waitingBand.from
      ? {}
      : { attentionAt: toIso(attentionAt) }),
    ...(settledAt === undefined ? {} : { settledAt: toIso(settledAt) }),
    ...(timedOutAt === undefined ? {} : { timedOutAt: toIso(timedOutAt) }),
    ...(suspected === undefined ? {} : { suspected: at(suspected) }),
    ...(released === undefined ? {} : { released: at(released) }),
    ...(requested === undefined ? {} : { requested: at(requested) }),
    ...(covers === undefined ? {} : { covers: covers.map(toIso) }),
    ...(waitingSince === undefined ? {} : { waitingSince: toIso(waitingSince) }),
    ...(waits === undefined ? {} : { waits: waits.map(waitJson) }),
    ...(cancelRequested === undefined ? {} : { cancelRequested: at(cancelRequested) }),
    ...(progress === undefined ? {} : { progress: at(progress) }),
    lateByMs: lateByMs(run),
    attempts: attempts.map(attemptJson),
  };
}

function attemptJson({ startedAt, leaseUntil, settledAt, suspected, ...rest }: Attempt) {
  return {
    ...rest,
    startedAt: toIso(startedAt),
    leaseUntil: toIso(leaseUntil),
    ...(suspected === undefined ? {} : { suspected: at(suspected) }),
    ...(settledAt === undefined ? {} : { settledAt: toIso(settledAt), tookMs: settledAt - startedAt }),
  };
}

function waitJson({ from, until, ...rest }: Wait) {
  return { ...rest, from: toIso(from), until: toIso(until), waitedMs: until - from };
}

/** What happened at an instant. */
function at<T extends { readonly at: number }>({ at: instant, ...rest }: T) {
  return { at: toIso(instant), ...rest };
}
