import type { Effect, Fence, RunChange } from './ledger.ts';
import { runId } from './names.ts';
import { type Released, type Run, waitingForSlot } from './run.ts';

/** What a person decides about a parked run: run it again, or leave it at that. */
export type Verdict = Released['as'];

export type Release =
  | {
      readonly kind: 'write';
      readonly fence: Fence;
      readonly change: RunChange;
      readonly effect?: Effect;
    }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * A person's decision about a parked run, which goes on its record. Run again, it waits for its job's slot as any other
 * run, and the next sweep admits it. Failed, it keeps the reason for which it was parked.
 */
export function releaseRun(
  run: Run,
  verdict: Verdict,
  { by, note, token, now }: { by: string; note?: string; token: string; now: number },
): Release {
  if (run.state !== 'parked') return { kind: 'refused', why: refusal(run) };
  const fence = { state: run.state, token: run.token };
  const said = { released: { at: now, by, as: verdict }, ...(note === undefined ? {} : { note }) };
  if (verdict === 'rerun') {
    const set = { ...waitingForSlot(run, now), token, ...said };
    return { kind: 'write', fence, change: { set, clear: ['error'] }, effect: { addQueued: 1 } };
  }
  return {
    kind: 'write',
    fence,
    change: { set: { state: 'failed', token, settledAt: now, ...said }, clear: ['attentionAt'] },
    effect: { addFailureInARow: true },
  };
}

function refusal(run: Run): string {
  return `${runId(run)} is ${run.state}; only a parked run waits for a person's decision`;
}
