import type { Ledger } from '../domain/ledger.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { fireKey, runId } from '../domain/names.ts';
import { isOpen, type Run } from '../domain/run.ts';
import { isExcluded, timetable } from '../domain/schedule/index.ts';
import { floorToMinute } from '../domain/time.ts';

/**
 * What a person has to know who starts a job by hand for a time at which it is due by its schedule: that is another run, under
 * another id, so that nothing keeps the work from being done twice. Null: it isn't due then.
 */
export async function fireBeside(
  ledger: Pick<Ledger, 'run'>,
  { id: jobId, spec, graceMs }: Pick<ManifestJob, 'id' | 'spec' | 'graceMs'>,
  { fireTime, now }: { readonly fireTime: number; readonly now: number },
): Promise<string | null> {
  const due = floorToMinute(fireTime);
  if (!timetable(spec).has(due) || isExcluded(spec, due)) return null;
  const ref = { jobId, key: fireKey(due) };
  const run = await ledger.run(ref);
  return `${runId(ref)}, the fire of its schedule, ${run === null ? withoutRecord(now - due, graceMs) : standingOf(run)}`;
}

function withoutRecord(sinceDueMs: number, graceMs: number): string {
  if (sinceDueMs < 0) return 'is yet to come: when it runs, the work is done twice';
  return sinceDueMs <= graceMs
    ? 'is due just now: when it runs, the work is done twice'
    : 'has no record: fl backfill makes it up for itself, and this is another run';
}

function standingOf({ state }: Run): string {
  if (state === 'succeeded') return 'has succeeded: this run does its work once more';
  if (state === 'parked') return 'is parked: fl release decides about it, and this is another run';
  return isOpen(state)
    ? `is ${state}: with this run its work is done twice`
    : `is ${state}: fl retry runs it itself, and this is another run`;
}
