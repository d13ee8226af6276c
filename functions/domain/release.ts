import type { Effect, Fence, RunChange } from './ledger.ts';
import { runId } from './names.ts';
import { type Released, type Run, waitingForSlot } from './run.ts';
import type { StepRecord } from './steps.ts';

/** What a person decides about a parked run: run it again, from its start or after what it has done, or leave it at that. */
export type Verdict = Released['as'];

export type Release =
  | {
      readonly kind: 'write';
      readonly fence: Fence;
      readonly change: RunChange;
      readonly effect: Effect;
    }
  | { readonly kind: 'refused'; readonly why: string };

/** `wasDone`: whether the step was done of which nobody knew. */
interface Said {
  readonly by: string;
  readonly note?: string | undefined;
  readonly wasDone?: boolean | undefined;
  readonly token: string;
  readonly now: number;
}

/**
 * A person's decision about a parked run. To run again, it waits for its job's slot as any other run, and the next sweep
 * admits it. Failed, it keeps the reason for which it was parked. One that is parked for an uncertain step runs again
 * only once it was said whether that was done; what goes on the step's record is `toldOf`.
 */
export function releaseRun(run: Run, verdict: Verdict, said: Said): Release {
  const { token, now } = said;
  const why = refusal(run, verdict, said);
  if (why !== null) return { kind: 'refused', why };
  const fence = { state: run.state, token: run.token };
  const released = releasedBy(run, verdict, said);
  if (verdict === 'fail') {
    const set = { state: 'failed', token, settledAt: now, ...released } as const;
    return {
      kind: 'write',
      fence,
      change: { set, clear: ['attentionAt'] },
      effect: { addFailureInARow: true },
    };
  }
  const anew = verdict === 'rerun' ? { restarts: (run.restarts ?? 0) + 1 } : {};
  const set = { ...waitingForSlot(run, now), token, ...anew, ...released };
  const clear = ['error', 'uncertain', 'cancelRequested'] as const;
  return {
    kind: 'write',
    fence,
    change: { set, clear: verdict === 'rerun' ? [...clear, 'cursor'] : clear },
    effect: { addQueued: 1 },
  };
}

function releasedBy(
  { uncertain }: Run,
  verdict: Verdict,
  { by, note, wasDone, now }: Said,
): Pick<Run, 'released' | 'note'> {
  const step = uncertain !== undefined && wasDone !== undefined ? { name: uncertain, done: wasDone } : null;
  return {
    released: { at: now, by, as: verdict, ...(step && { step }) },
    ...(note !== undefined && { note }),
  };
}

function refusal(run: Run, verdict: Verdict, { wasDone }: Said): string | null {
  const id = runId(run);
  if (run.state !== 'parked') return `${id} is ${run.state}; only a parked run waits for a person's decision`;
  const { uncertain } = run;
  const isTold = wasDone !== undefined;
  if (uncertain === undefined)
    return isTold ? `${id} is parked for no step: leave out --done and --not-done` : null;
  if (verdict === 'fail')
    return isTold ? 'of a run that is left failed nobody asks whether its step was done' : null;
  if (isTold) return null;
  return `nobody knows whether its step ${JSON.stringify(uncertain)} was done: look, then add --done or --not-done`;
}

/** The step of which nobody knows, as its record is; made up where that is gone. */
export function uncertainStep(run: Run, steps: readonly StepRecord[], now: number): StepRecord | null {
  const { uncertain: name, token, restarts = 0 } = run;
  if (name === undefined) return null;
  const known = steps.find((step) => step.name === name);
  return known ?? { name, kind: 'once', state: 'begun', at: now, restarts, token };
}
