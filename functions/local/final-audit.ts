import { stageConfig } from '../config.ts';
import { type Audit, auditableFrom } from '../domain/audit.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { Manifest } from '../domain/manifest.ts';
import { auditLedger } from '../store/audit-ledger.ts';
import { localStage } from './cloud-functions.ts';

/**
 * The audit of a system that has stopped, up to the last instant at which its alarms rang: nothing can come any more, so
 * no grace has to be waited for.
 */
export function finalAudit(ledger: Ledger, manifest: Manifest, until: number): Promise<Audit> {
  const from = auditableFrom(until, stageConfig(localStage).retentionDays);
  return auditLedger(
    ledger,
    manifest.jobs.map((job) => job.id),
    { from, to: until },
  );
}
