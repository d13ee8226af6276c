import { noCatchUp, oneLessWaits } from './catch-up.ts';
import { canceledFor } from './finish.ts';
import type { JobState } from './job-state.ts';
import type { Effect, Fence, RunChange } from './ledger.ts';
import { runId } from './names.ts';
import { leaving } from './queue.ts';
import { type CancelRequest, isOpen, type Run, waitsAfter } from './run.ts';

/** What a request to cancel comes to. */
export type Cancellation =
  /** `requested`: its attempt ends it, or the end of its lease. `canceled`: it is ended by this. */
  | {
      readonly kind: 'requested' | 'canceled';
      readonly fence: Fence;
      readonly change: RunChange;
      readonly effect?: Effect;
    }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Ends a run: at once where no attempt is alive, else by a request on its record. Its slot and holds stay until nobody can
 * be alive. `state`: its job's, read after the run.
 */
export function cancelRun(
  run: Run,
  request: CancelRequest,
  { state, token }: { state: Pick<JobState, 'catchUp'> | null; token: string },
): Cancellation {
  const fence = { state: run.state, token: run.token };
  if (!isOpen(run.state)) return { kind: 'refused', why: `${runId(run)} is ${run.state} already` };
  if (run.state === 'running') {
    if (run.cancelRequested !== undefined)
      return { kind: 'refused', why: `${runId(run)} has been asked to end already` };
    return {
      kind: 'requested',
      fence: { ...fence, unasked: true },
      change: { set: { state: 'running', cancelRequested: request } },
    };
  }
  const set = {
    state: 'canceled',
    token,
    settledAt: request.at,
    hasSlot: false,
    cancelRequested: request,
    ...canceledFor(request),
    ...waitsAfter(run, request.at),
  } as const;
  const effect = { ...leaving(run), ...untallied(run, state) };
  return {
    kind: 'canceled',
    fence,
    change: { set, clear: ['attentionAt', 'suspected'] },
    ...(Object.keys(effect).length > 0 && { effect }),
  };
}

/** What a person has made up isn't tallied, and may be taken back while the reconciler counts on. */
function untallied(run: Run, state: Pick<JobState, 'catchUp'> | null): Effect {
  if (run.state !== 'waiting' || run.reason !== 'catch-up' || run.requested !== undefined) return {};
  const { catchUp } = state ?? { catchUp: noCatchUp };
  return { require: { catchUp }, set: { catchUp: oneLessWaits(catchUp, run, null) } };
}
