import { everyJob } from '../../cli/known-jobs.ts';
import { collected } from '../../cli/runs-around.ts';
import type { Action } from '../../domain/action.ts';
import { auditableFrom, auditableUntil, combine, type JobAudit } from '../../domain/audit.ts';
import { day, toIso } from '../../domain/time.ts';
import { auditLedger } from '../../store/audit-ledger.ts';
import type { LedgerAnswer } from '../data.ts';
import { inParallel } from './in-parallel.ts';
import { rangeOf } from './range.ts';
import { AskedWrongly, manifestOf, type View } from './view.ts';

/** Without a range, the last week of what can be judged. */
const usualMs = 7 * day;
const mostActions = 200;

/** What was due against what was recorded, jobs with something missing first, and what people did meanwhile. */
export async function ledgerAnswer({ place, now }: View, query: URLSearchParams): Promise<LedgerAnswer> {
  const { ledger, retentionDays } = place;
  const manifest = await manifestOf(ledger);
  const newest = auditableUntil(now, manifest.jobs);
  const oldest = auditableFrom(now, retentionDays);
  const asked = rangeOf(query, { from: Math.max(oldest, newest - usualMs), until: newest });
  const range = { from: asked.from, to: Math.min(asked.until, newest), keptSince: oldest };
  if (range.from > range.to)
    throw new AskedWrongly(`there is nothing to audit then: fires up to ${toIso(newest)} can be judged`);
  const [audits, actions] = await Promise.all([
    inParallel(everyJob(manifest), async ({ id }) => (await auditLedger(ledger, [id], range)).jobs),
    collected(ledger.actions({ from: range.from, to: now, limit: mostActions })),
  ]);
  const { jobs, expected, recorded, doubleRuns, duplicates, strays, missing, unjudged, states } = combine(
    Object.assign({}, ...audits),
    range,
  );
  return {
    ...{ from: toIso(range.from), to: toIso(range.to) },
    ...{ expected, recorded, doubleRuns, duplicates, strays, missing, unjudged, states },
    jobs: Object.entries(jobs).map(jobOf).sort(worstFirst),
    actions: actions.map(actionOf),
  };
}

type JobLine = LedgerAnswer['jobs'][number];

function jobOf([id, audit]: readonly [string, JobAudit]): JobLine {
  const { expected, recorded, doubleRuns, states } = audit;
  return { id, expected, recorded, missing: expected - recorded, doubleRuns, states };
}

function worstFirst(a: JobLine, b: JobLine): number {
  return b.missing - a.missing || b.doubleRuns - a.doubleRuns || (a.id < b.id ? -1 : 1);
}

function actionOf({ at, by, verb, jobId, run, note }: Action): LedgerAnswer['actions'][number] {
  const target = [jobId, run].filter((part) => part !== undefined).join('#');
  return { at: toIso(at), by, verb, target, note: note ?? null };
}
