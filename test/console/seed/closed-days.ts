import { type ClosedDay, dayOf, judgeDay, nextDayOf } from '../../../functions/domain/closed-days/index.ts';
import type { Ledger } from '../../../functions/domain/ledger.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { day, minute } from '../../../functions/domain/time.ts';
import { jobState } from '../../support/jobs.ts';
import type { History } from './history.ts';

/** A job's days as its reconciler has left them, up to `closedUntil`. */
export interface SeedDays {
  readonly jobId: string;
  readonly closed: readonly ClosedDay[];
  readonly open: readonly number[];
  readonly closedUntil: number;
}

export function seedDays({ jobs, versions, runs, now }: History): SeedDays[] {
  const byDay = new Map<string, Run[]>();
  for (const run of runs) {
    const id = `${run.jobId} ${dayOf(run.fireTime)}`;
    byDay.set(id, [...(byDay.get(id) ?? []), run]);
  }
  return jobs.flatMap(({ entry }, index) => {
    const ofJob = versions[index] ?? [];
    const days = settledDays(ofJob[0]?.from ?? now, now);
    const verdicts = days.map((first) => {
      const of = byDay.get(`${entry.id} ${first}`) ?? [];
      return { first, ...judgeDay({ jobId: entry.id, day: first }, { versions: ofJob, runs: of }) };
    });
    const closed = verdicts.flatMap((one) => (one.kind === 'closed' ? [one.closed] : []));
    const open = verdicts.flatMap(({ kind, first }) => (kind === 'unfinished' ? [first] : []));
    const last = days.at(-1);
    return last === undefined ? [] : [{ jobId: entry.id, closed, open, closedUntil: last + day }];
  });
}

function settledDays(since: number, now: number): number[] {
  const days: number[] = [];
  for (;;) {
    const last = days.at(-1);
    const state = jobState({ id: '', specId: '' }, last === undefined ? {} : { closedUntil: last + day });
    const next = nextDayOf({ state, settled: now - 5 * minute }, since);
    if (next === null) return days;
    days.push(next);
  }
}

/** Writes how far a job's days are, once those that are closed are written. */
export async function putProgress(ledger: Ledger, { jobId, open, closedUntil }: SeedDays): Promise<void> {
  for (const first of open) await ledger.leaveDay({ jobId, day: first }, { replaces: null }, 'among-open');
  const fence = { replaces: null, progress: { before: null, after: closedUntil } };
  await ledger.leaveDay({ jobId, day: closedUntil }, fence, 'unlisted');
}
