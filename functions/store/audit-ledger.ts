import {
  type Audit,
  type AuditRange,
  auditedOf,
  combine,
  type JobAudit,
  JobAuditor,
} from '../domain/audit.ts';
import type { JobState } from '../domain/job-state.ts';
import type { Ledger } from '../domain/ledger.ts';

/** Audits jobs one after the other, and each page by page: memory stays bounded whatever the range is. */
export async function auditLedger(
  ledger: Pick<Ledger, 'history' | 'jobs' | 'specs'>,
  jobIds: readonly string[],
  range: AuditRange,
): Promise<Audit> {
  const states = await ledger.jobs(jobIds);
  const audits: Record<string, JobAudit> = {};
  for (const jobId of jobIds)
    audits[jobId] = await auditOf(ledger, jobId, { range, state: states.get(jobId) });
  return combine(audits, range);
}

async function auditOf(
  ledger: Pick<Ledger, 'history' | 'specs'>,
  jobId: string,
  { range, state }: { range: AuditRange; state: JobState | undefined },
): Promise<JobAudit> {
  const auditor = new JobAuditor(jobId, await ledger.specs(jobId), range);
  for await (const run of ledger.history(jobId, range)) auditor.see(auditedOf(run));
  return auditor.end(state ?? null);
}
