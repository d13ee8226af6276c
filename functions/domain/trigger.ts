import type { Action } from './action.ts';
import { reopening } from './closed-days/index.ts';
import type { Effect } from './ledger.ts';
import { fireKey } from './names.ts';
import { newRun, type Requested, type Run, turnOf } from './run.ts';
import { floorToMinute } from './time.ts';

/**
 * A run that a person starts: beside the schedule's fires, so that none of those is taken by it. It waits for its job's slot
 * like any run, and the next sweep admits it. `fireTime`: what it works for, to the minute.
 */
export function manualRun(
  { jobId, specId }: Pick<Run, 'jobId' | 'specId'>,
  {
    fireTime,
    input,
    requested,
    nonce,
    token,
    action,
  }: {
    readonly fireTime: number;
    /** JSON. */
    readonly input?: unknown;
    readonly requested: Requested;
    /** Lower-case letters and digits. */
    readonly nonce: string;
    readonly token: string;
    /** Is told the run's key. */
    readonly action?: (key: string) => Action;
  },
): { readonly run: Run; readonly effect: Effect } {
  const due = floorToMinute(fireTime);
  const key = `${fireKey(due)}~manual-${nonce}`;
  const run = newRun({
    ...{ jobId, key, specId, token, requested },
    fireTime: due,
    trigger: 'manual',
    state: 'waiting',
    reason: 'slot',
    attentionAt: turnOf(due, 'slot'),
    createdAt: requested.at,
    ...(input !== undefined && { input }),
  });
  const effect = { addQueued: 1, ...(action && { action: action(key) }), reopens: reopening(run) } as const;
  return { run, effect };
}
