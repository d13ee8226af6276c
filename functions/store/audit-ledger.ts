import {
  type Audit,
  type AuditRange,
  auditedOf,
  combine,
  expectedFires,
  type JobAudit,
  JobAuditor,
  summed,
} from '../domain/audit.ts';
import { auditOfDay } from '../domain/closed-days/index.ts';
import type { JobState, SpecVersion } from '../domain/job-state.ts';
import type { Ledger } from '../domain/ledger.ts';
import { type PastPart, pastParts } from './past-parts.ts';

type Read = Pick<Ledger, 'history' | 'specs' | 'closedDays'>;

/** What is asked for, and since when every record is still there: the lack of an older one proves nothing. */
interface Asked extends AuditRange {
  /** @default all of the range */
  readonly keptSince?: number;
}

/**
 * Audits jobs one after the other, and each page by page: memory stays bounded whatever the range is. What is closed is
 * taken from what its day says, however long ago its records expired.
 */
export async function auditLedger(
  ledger: Read & Pick<Ledger, 'jobs'>,
  jobIds: readonly string[],
  range: Asked,
): Promise<Audit> {
  const states = await ledger.jobs(jobIds);
  const audits: Record<string, JobAudit> = {};
  for (const jobId of jobIds)
    audits[jobId] = await auditOf(ledger, jobId, { range, state: states.get(jobId) });
  return combine(audits, range);
}

async function auditOf(
  ledger: Read,
  jobId: string,
  { range, state }: { range: Asked; state: JobState | undefined },
): Promise<JobAudit> {
  const versions = await ledger.specs(jobId);
  const { keptSince = range.from } = range;
  const audits: JobAudit[] = [];
  for await (const part of pastParts(ledger, jobId, range))
    audits.push(await auditPart(ledger, jobId, { part, versions, keptSince }));
  return { ...summed(audits, range), strays: state?.strays ?? 0 };
}

async function auditPart(
  ledger: Read,
  jobId: string,
  {
    part: { from, to, closed },
    versions,
    keptSince,
  }: { part: PastPart; versions: readonly SpecVersion[]; keptSince: number },
): Promise<JobAudit> {
  if (closed !== null) return auditOfDay(closed, versions, { from, to });
  const kept = { from: Math.max(from, keptSince), to };
  const auditor = new JobAuditor(jobId, versions, kept);
  if (kept.from <= to) for await (const run of ledger.history(jobId, kept)) auditor.see(auditedOf(run));
  const expired = expectedFires(versions, { from, to: Math.min(to, keptSince - 1) });
  return { ...auditor.end(null), unjudged: [...expired].length };
}
