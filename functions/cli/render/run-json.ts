import { runId } from '../../domain/names.ts';
import {
  type Attempt,
  type CancelRequest,
  type Released,
  type Run,
  type Suspicion,
  type Wait,
  waitingBand,
} from '../../domain/run.ts';
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
    cancelRequested,
    waitingSince,
    waits,
    covers,
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
    ...(suspected === undefined ? {} : { suspected: suspicionJson(suspected) }),
    ...(released === undefined ? {} : { released: releasedJson(released) }),
    ...(cancelRequested === undefined ? {} : { cancelRequested: requestJson(cancelRequested) }),
    ...(waitingSince === undefined ? {} : { waitingSince: toIso(waitingSince) }),
    ...(waits === undefined ? {} : { waits: waits.map(waitJson) }),
    ...(covers === undefined ? {} : { covers: covers.map(toIso) }),
    lateByMs: lateByMs(run),
    attempts: attempts.map(attemptJson),
  };
}

function attemptJson({ startedAt, leaseUntil, settledAt, suspected, ...rest }: Attempt) {
  return {
    ...rest,
    startedAt: toIso(startedAt),
    leaseUntil: toIso(leaseUntil),
    ...(suspected === undefined ? {} : { suspected: suspicionJson(suspected) }),
    ...(settledAt === undefined ? {} : { settledAt: toIso(settledAt), tookMs: settledAt - startedAt }),
  };
}

function requestJson({ at, ...rest }: CancelRequest) {
  return { at: toIso(at), ...rest };
}

function waitJson({ from, until, ...rest }: Wait) {
  return { ...rest, from: toIso(from), until: toIso(until), waitedMs: until - from };
}

function releasedJson({ at, ...rest }: Released) {
  return { at: toIso(at), ...rest };
}

function suspicionJson({ at, ...rest }: Suspicion) {
  return { at: toIso(at), ...rest };
}
