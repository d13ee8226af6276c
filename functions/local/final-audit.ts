import { stageConfig } from '../config.ts';
import { type Audit, auditableFrom, combine, type JobAudit } from '../domain/audit.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { Manifest } from '../domain/manifest.ts';
import { fireTimeOf, parseRunId } from '../domain/names.ts';
import { auditLedger } from '../store/audit-ledger.ts';
import { localStage } from './cloud-functions.ts';

/** Alarms due after `since` and up to `until` have rung. */
export interface Rang {
  readonly since: number;
  readonly until: number;
  /** Deliveries may have been lost: the reconciler makes up for them within this time after their grace. @default - none was lost */
  readonly repairMs?: number;
}

export interface FinalAudit extends Audit {
  /** Run ids of fires without a record that may still get one, and so count neither as expected nor as missing. */
  readonly undecided: readonly string[];
}

/**
 * The audit of a system that has stopped, up to the last instant at which its alarms rang: nothing can come any more, so
 * no grace has to be waited for. But of a fire that was due before it started, and is still within its grace, the next
 * start decides. So it is with any fire whose delivery may have been lost.
 */
export async function finalAudit(ledger: Ledger, manifest: Manifest, rang: Rang): Promise<FinalAudit> {
  const to = rang.until;
  const range = { from: auditableFrom(to, stageConfig(localStage).retentionDays), to };
  const ids = manifest.jobs.map((job) => job.id);
  const { jobs } = await auditLedger(ledger, ids, range);
  const undecided = new Set(
    manifest.jobs.flatMap(({ id, graceMs }) =>
      (jobs[id]?.missing ?? []).filter((fire) => mayBeMadeUp(fire, { graceMs, ...rang })),
    ),
  );
  const judged = Object.entries(jobs).map(([id, audit]) => [id, withoutFires(audit, undecided)] as const);
  return { ...combine(Object.fromEntries(judged), range), undecided: [...undecided] };
}

function mayBeMadeUp(id: string, { graceMs, since, until, repairMs }: Rang & { graceMs: number }): boolean {
  const fireTime = fireTimeOf(parseRunId(id)?.key ?? '');
  if (fireTime === null) return false;
  const isNextStarts = fireTime <= since || repairMs !== undefined;
  return isNextStarts && fireTime + graceMs + (repairMs ?? 0) >= until;
}

function withoutFires(audit: JobAudit, fires: ReadonlySet<string>): JobAudit {
  const missing = audit.missing.filter((id) => !fires.has(id));
  return { ...audit, missing, expected: audit.expected - (audit.missing.length - missing.length) };
}
