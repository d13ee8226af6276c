import { collected } from '../../cli/runs-around.ts';
import type { Action } from '../../domain/action.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { Run, RunState } from '../../domain/run.ts';
import { day, fromIso, toIso } from '../../domain/time.ts';
import { mostFires } from '../../operator/backfill.ts';
import type { BackfillProgress } from '../data.ts';
import type { View } from './view.ts';

const lookBackMs = 3 * day;
const mostActions = 500;

/** A job's newest backfill, as the log tells of it. */
export interface Begun extends Action {
  readonly jobId: string;
  readonly range: { readonly from: number; readonly to: number };
}

/** The newest of a job within the last days; null: none. */
export async function beganAt(
  ledger: Pick<Ledger, 'actions'>,
  { jobId, now }: { jobId: string; now: number },
): Promise<Begun | null> {
  const range = { from: now - lookBackMs, to: now, limit: mostActions };
  for await (const action of ledger.actions(range)) {
    if (action.verb !== 'backfill' || action.jobId !== jobId) continue;
    const [from, to] = [action.details?.from, action.details?.to].map((text) => fromIso(String(text)));
    return typeof from === 'number' && typeof to === 'number'
      ? { ...action, jobId, range: { from, to } }
      : null;
  }
  return null;
}

/** The runs that it has had made up, and that nobody has asked for since. */
export async function runsOf(
  ledger: Pick<Ledger, 'history'>,
  { at, by, jobId, range }: Begun,
): Promise<Run[]> {
  const runs = await collected(ledger.history(jobId, { ...range, limit: 2 * mostFires }));
  return runs.filter(({ requested }) => requested?.at === at && requested.by === by);
}

/** How far a job's newest backfill is: the records tell, so that it survives a restart of the console. */
export async function backfillOf(
  { place: { ledger }, now, feeds }: View,
  jobId: string,
): Promise<BackfillProgress | null> {
  const begun = await beganAt(ledger, { jobId, now });
  if (begun === null) return null;
  const { at, by, note = null, range, details } = begun;
  const states: Partial<Record<RunState, number>> = {};
  for (const { state } of await runsOf(ledger, begun)) states[state] = (states[state] ?? 0) + 1;
  return {
    ...{ at: toIso(at), by, note, from: toIso(range.from), to: toIso(range.to), states },
    only: String(details?.only),
    fires: Number(details?.fires),
    isFed: feeds?.isUnderWay(jobId) ?? false,
    problem: feeds?.problemOf(jobId) ?? null,
  };
}
