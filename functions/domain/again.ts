import type { Action } from './action.ts';
import { reopening } from './closed-days/index.ts';
import type { Effect, Fence, RunChange } from './ledger.ts';
import { type RunRef, runId } from './names.ts';
import { isOpen, newRun, type Requested, type Run, turnOf, waitingForSlot } from './run.ts';
import { day } from './time.ts';

/**
 * How a person wants a fire run that was settled, or never recorded. `retry`: as soon as its job's slot is free.
 * `backfill`: behind all else, within its job's rate, as missed fires are made up.
 */
export type Haste = 'retry' | 'backfill';

export type Again =
  | { readonly kind: 'write'; readonly fence: Fence; readonly change: RunChange; readonly effect: Effect }
  | { readonly kind: 'refused'; readonly why: string };

interface Wish {
  readonly haste: Haste;
  /** Its steps that are done are not done again, and it goes on from its last cursor. */
  readonly keepsSteps: boolean;
  readonly requested: Requested;
  readonly token: string;
  /** @default no line of its own in the log of actions */
  readonly action?: Action;
}

const left = [
  'error',
  'settledAt',
  'suspected',
  'timedOutAt',
  'uncertain',
  'cancelRequested',
  'holds',
  'waitsFor',
  'seniority',
  'unsent',
] as const;

/** No stage deletes records before 366 days, and then a run's steps may be gone before it is: what they did would be done again. */
const oldestDays = 360;

/** A run that ended without success is run once more: the same run, with its attempts; its failures count anew. */
export function runAgain(run: Run, { haste, keepsSteps, requested, token, action }: Wish): Again {
  const why = refusal(run, requested.at);
  if (why !== null) return { kind: 'refused', why };
  const turn = haste === 'retry' ? waitingForSlot(run, requested.at) : waitingToBeMadeUp(run, requested.at);
  return {
    kind: 'write',
    fence: { state: run.state, token: run.token },
    change: {
      set: {
        ...turn,
        ...{ token, requested, crashes: 0, failures: 0, reoffers: 0 },
        ...(!keepsSteps && { restarts: (run.restarts ?? 0) + 1 }),
      },
      clear: keepsSteps ? left : [...left, 'cursor'],
    },
    effect: {
      ...(haste === 'retry' && { addQueued: 1 }),
      ...(action && { action }),
      reopens: reopening({ ...run, token }),
    },
  };
}

/** A fire from before its job was first deployed, or one that has no record for whatever reason: it is made up for. */
export function madeUp(
  { jobId, key }: RunRef,
  {
    fireTime,
    specId,
    requested,
    token,
  }: Pick<Run, 'fireTime' | 'specId' | 'token'> & Pick<Wish, 'requested'>,
): { readonly run: Run; readonly effect: Effect } {
  const run = newRun({
    ...{ jobId, key, fireTime, specId, token, requested },
    ...waitingToBeMadeUp({ fireTime }, requested.at),
    createdAt: requested.at,
  });
  return { run, effect: { reopens: reopening(run) } };
}

function waitingToBeMadeUp({ fireTime }: Pick<Run, 'fireTime'>, now: number) {
  return {
    state: 'waiting',
    reason: 'catch-up',
    trigger: 'backfill',
    hasSlot: false,
    waitingSince: now,
    attentionAt: turnOf(fireTime, 'catch-up'),
  } as const;
}

function refusal(run: Run, now: number): string | null {
  const id = runId(run);
  const { state, reason, supersededBy, createdAt } = run;
  if (state === 'parked') return `${id} is parked: decide about it with release`;
  if (isOpen(state)) return `${id} is ${state}: it runs, or will`;
  if (state === 'succeeded')
    return `${id} has succeeded, and a fire succeeds once: to have its work done once more, trigger its job for that time`;
  if (reason === 'superseded' && supersededBy !== undefined)
    return `${id} was superseded: ${runId({ jobId: run.jobId, key: supersededBy })} stands for it, so run that one`;
  if (now - createdAt > oldestDays * day)
    return `${id} was recorded more than ${oldestDays} days ago, so that what is known of its steps may be deleted while it runs: to have its work done, trigger its job for that time`;
  return null;
}
