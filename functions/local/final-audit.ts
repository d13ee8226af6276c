import { stageConfig } from '../config.ts';
import { type Audit, auditableFrom } from '../domain/audit.ts';
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

/**
 * The audit of a system that has stopped, up to the last instant at which its alarms rang: nothing can come any more, so
 * no grace has to be waited for. But of a fire that was due before it started, and is still within its grace, the next
 * start decides: then the audit ends before it. So it is with any fire whose delivery may have been lost.
 */
export async function finalAudit(ledger: Ledger, manifest: Manifest, rang: Rang): Promise<Audit> {
  const audited = await auditUpTo(rang.until, ledger, manifest);
  const undecided = undecidedOf(audited, manifest, rang);
  return undecided.length === 0 ? audited : auditUpTo(Math.min(...undecided) - 1, ledger, manifest);
}

function auditUpTo(to: number, ledger: Ledger, manifest: Manifest): Promise<Audit> {
  const from = auditableFrom(to, stageConfig(localStage).retentionDays);
  return auditLedger(
    ledger,
    manifest.jobs.map((job) => job.id),
    { from, to },
  );
}

function undecidedOf({ missing }: Audit, manifest: Manifest, { since, until, repairMs }: Rang): number[] {
  const graces = new Map(manifest.jobs.map((job) => [job.id, job.graceMs]));
  return missing.flatMap((id) => {
    const ref = parseRunId(id);
    const fireTime = ref && fireTimeOf(ref.key);
    if (ref === null || fireTime === null) return [];
    const mayBeRepaired = fireTime <= since || repairMs !== undefined;
    const decidedAt = fireTime + (graces.get(ref.jobId) ?? 0) + (repairMs ?? 0);
    return mayBeRepaired && decidedAt >= until ? [fireTime] : [];
  });
}
