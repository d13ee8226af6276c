import { isDeepStrictEqual } from 'node:util';
import { table } from '../../contract.ts';
import type { CatchUp } from '../../domain/job-state.ts';
import type { Fence } from '../../domain/ledger.ts';
import type { RunRef } from '../../domain/names.ts';
import type { StepRecord } from '../../domain/steps.ts';
import { attributeOf } from './attributes.ts';
import type { Condition } from './expressions.ts';
import { unsaidOfJobs } from './items.ts';
import { holdAttribute } from './keys.ts';

/*
 * A run's time line, and what each write of it requires. Lines joined by a bracket are one transaction.
 *
 *   a delivery starts      put run      isAbsent
 *                        └ its job      unpaused · specIs(mine) · inForceBefore(its instant) · slotIsFree → slot taken
 *                          … where fires queue: unqueued
 *                        └ its pools    isFree(weight) · holdIsNew · unwaited                  → held
 *   … and has to queue     put run      isAbsent                                               → waiting
 *                        └ its job      as above, but for the slot and those queued            → one more queued
 *   … and finds no room    put run      isAbsent                                               → waiting
 *                        └ its job      as above                                               → slot taken
 *                        └ its pools    isKnown                                                → one more waits
 *   … of an excluded fire  put run      isAbsent                                               → skipped
 *                        └ its job      specIs(mine) · inForceBefore(its instant)
 *   the reconciler offers  put run      isAbsent
 *                        └ its job      specIs · slotIsFree                                    → slot taken
 *                        └ its pools    isFree(weight) · holdIsNew · unwaited                  → held
 *   … what waits           move run     fenceHolds(waiting, its token)                         → offered
 *                        └ its job      unpaused · slotIsFree, unless it has it                → slot taken, one less queued
 *                        └ its pools    isFree(weight) · holdIsNew                             → held, one less waits
 *   an invocation takes    move run     fenceHolds(offered, the offer's token)                 → its own token
 *   its attempt makes a step   check run fenceHolds(running, its own token)
 *                        └ its step     isAbsent · or stepIs(as it was read)                   → begun, or done
 *   … a commit             as above, or with the finish below instead of the check
 *                        └ the author's own writes, under the author's own conditions
 *   its attempt finishes   move run     fenceHolds(running, its own token)                     → settled
 *                        └ its job      slotIsMine · unqueued, or once more without            → slot freed
 *                        └ its pools    holdIsMine · unwaited, or once more without            → hold freed
 *   the lease has ended    move run     fenceHolds(running, the dead attempt's token, unasked) → the reconciler's token
 *                        └ its job      slotIsMine → slot freed, or unpaused → slot kept for a rerun
 *                        └ its pools    holdIsMine → hold freed, or untouched for a rerun
 *   a missed fire waits    put run      isAbsent
 *                        └ its job      tallyIs(as it was read)                                → counted
 *   it is admitted         move run     fenceHolds(waiting, its token)                         → the offer's token
 *                        └ its job      unpaused · slotIsFree · tallyIs(as it was read)        → slot taken, counted
 *                        └ its pools    isFree(weight) · holdIsNew                             → held
 *
 * Where a job has no slot to give back, it isKnown at least. What isFree or holdIsMine is known as well.
 *
 * Each of two writers that believe to own a run names the token that it knows; the first to write replaces it.
 */

/** No run has this key: the claim. */
export const isAbsent: Condition = {
  text: 'attribute_not_exists(#pk)',
  names: { '#pk': table.partitionKey },
  values: {},
};

/** The item exists. Without this an update would make a job's state, a run or a pool out of nothing. */
export const isKnown: Condition = {
  text: 'attribute_exists(#pk)',
  names: { '#pk': table.partitionKey },
  values: {},
};

/** Nobody took the run over since the writer saw it. */
export function fenceHolds({ state, token, unasked }: Fence): Condition {
  return {
    text: `#state = :fenceState AND #token = :fenceToken${unasked ? ' AND attribute_not_exists(#cancelRequested)' : ''}`,
    names: {
      ...{ '#state': 'state', '#token': 'token' },
      ...(unasked && { '#cancelRequested': 'cancelRequested' }),
    },
    values: { ':fenceState': attributeOf(state), ':fenceToken': attributeOf(token) },
  };
}

export const unpaused: Condition = {
  text: 'attribute_not_exists(#paused)',
  names: { '#paused': 'paused' },
  values: {},
};

/** The pause that was set at this instant is still the job's. */
export function pausedSince(instant: number): Condition {
  return {
    text: '#paused.#at = :pausedAt',
    names: { '#paused': 'paused', '#at': 'at' },
    values: { ':pausedAt': attributeOf(instant) },
  };
}

/** The job has failed at least so many times in a row. */
export function failedInARow(count: number): Condition {
  return {
    text: '#failuresInARow >= :failedInARow',
    names: { '#failuresInARow': 'failuresInARow' },
    values: { ':failedInARow': attributeOf(count) },
  };
}

/** This version of the job's schedule is in force; null: none is. */
export function specIs(specId: string | null): Condition {
  const names = { '#specId': 'specId' };
  return specId === null
    ? { text: 'attribute_not_exists(#specId)', names, values: {} }
    : { text: '#specId = :specInForce', names, values: { ':specInForce': attributeOf(specId) } };
}

/** The version in force was published before an instant, so what was due then is for it to say. */
export function inForceBefore(instant: number): Condition {
  return {
    text: '#specSince < :dueAt',
    names: { '#specSince': 'specSince' },
    values: { ':dueAt': attributeOf(instant) },
  };
}

const partsOfTally = ['waiting', 'newest', 'since', 'reach', 'minute', 'admitted'] as const;

/**
 * Nobody has counted since the writer read the tally of missed fires. Before anything was counted there is none. Part by
 * part, since not every engine compares maps.
 */
export function tallyIs(catchUp: CatchUp): Condition {
  const counted = partsOfTally.filter((part) => catchUp[part] !== undefined);
  const texts = partsOfTally.map((part) =>
    counted.includes(part) ? `#tally.#${part} = :${part}Read` : `attribute_not_exists(#tally.#${part})`,
  );
  const isAsRead = texts.join(' AND ');
  return {
    text: isDeepStrictEqual(catchUp, unsaidOfJobs.catchUp)
      ? `(attribute_not_exists(#tally) OR (${isAsRead}))`
      : isAsRead,
    names: { '#tally': 'catchUp', ...Object.fromEntries(partsOfTally.map((part) => [`#${part}`, part])) },
    values: Object.fromEntries(counted.map((part) => [`:${part}Read`, attributeOf(catchUp[part])])),
  };
}

/** Nobody waits for the job's slot. */
export const unqueued: Condition = {
  text: '(attribute_not_exists(#queued) OR #queued <= :nobody)',
  names: { '#queued': 'queued' },
  values: { ':nobody': attributeOf(0) },
};

export const slotIsFree: Condition = {
  text: 'attribute_not_exists(#slot)',
  names: { '#slot': 'slot' },
  values: {},
};

/** The run with this key has its job's slot: a slot is never freed twice, nor for somebody else. */
export function slotIsMine(key: string): Condition {
  return {
    text: '#slot = :slotOwner',
    names: { '#slot': 'slot' },
    values: { ':slotOwner': attributeOf(key) },
  };
}

/** So much of the pool, which therefore exists, is free. */
export function isFree(weight: number): Condition {
  return {
    text: '#free >= :weight',
    names: { '#free': 'free' },
    values: { ':weight': attributeOf(weight) },
  };
}

/** Nobody waits for the pool. */
export const unwaited: Condition = {
  text: '(attribute_not_exists(#waiting) OR #waiting <= :nobody)',
  names: { '#waiting': 'waiting' },
  values: { ':nobody': attributeOf(0) },
};

/** This run holds nothing of the pool. */
export function holdIsNew(ref: RunRef): Condition {
  return {
    text: 'attribute_not_exists(#hold)',
    names: { '#hold': holdAttribute(ref) },
    values: {},
  };
}

/** This run holds just so much of the pool, which therefore exists: nothing is freed twice, nor for somebody else. */
export function holdIsMine(ref: RunRef, weight: number): Condition {
  return {
    text: '#hold = :held',
    names: { '#hold': holdAttribute(ref) },
    values: { ':held': attributeOf(weight) },
  };
}

/** The pool has this capacity; null: there is no such pool. */
export function capacityIs(capacity: number | null): Condition {
  const names = { '#capacity': 'capacity' };
  return capacity === null
    ? { text: 'attribute_not_exists(#capacity)', names, values: {} }
    : { text: '#capacity = :capacityInForce', names, values: { ':capacityInForce': attributeOf(capacity) } };
}

/** The step's record is the one that its writer knows. */
export function stepIs({ state, token }: Pick<StepRecord, 'state' | 'token'>): Condition {
  return {
    text: '#stepState = :stepState AND #stepToken = :stepToken',
    names: { '#stepState': 'state', '#stepToken': 'token' },
    values: { ':stepState': attributeOf(state), ':stepToken': attributeOf(token) },
  };
}

/** The day was opened again by this token, last. */
export function reopenedBy(token: string): Condition {
  return {
    text: '#reopened = :reopenedBy',
    names: { '#reopened': 'reopened' },
    values: { ':reopenedBy': attributeOf(token) },
  };
}

/** Up to here the job's days were closed, or left; null: none was. */
export function closedUntilIs(instant: number | null): Condition {
  const names = { '#closedUntil': 'closedUntil' };
  if (instant === null) return { text: 'attribute_not_exists(#closedUntil)', names, values: {} };
  return { text: '#closedUntil = :wasUntil', names, values: { ':wasUntil': attributeOf(instant) } };
}

/** The reconciler's lease is this token's. */
export function leaseIsMine(token: string): Condition {
  return {
    text: '#leaseToken = :holder',
    names: { '#leaseToken': 'leaseToken' },
    values: { ':holder': attributeOf(token) },
  };
}

/** The reconciler's lease is nobody's, over, or this token's already. */
export function leaseIsOpen(token: string, now: number): Condition {
  return {
    text: '(attribute_not_exists(#leaseToken) OR #leaseToken = :holder OR #leaseUntil <= :now)',
    names: { '#leaseToken': 'leaseToken', '#leaseUntil': 'leaseUntil' },
    values: { ':holder': attributeOf(token), ':now': attributeOf(now) },
  };
}
