import type { Ledger } from '../domain/ledger.ts';
import { fireKey, fireTimeOf, type RunRef, runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import { instantsOf } from './instants.ts';
import { deployedJobs, type KnownJob, knownJob } from './known-jobs.ts';
import type { OpenLedger } from './open-ledger.ts';
import { oneLine } from './render/text.ts';
import { UserError } from './user-error.ts';

export interface FoundRun {
  readonly run: Run;
  readonly job: KnownJob;
}

/**
 * The run that a person means: `billing/send-invoices#2026-12-01T05:00:00Z`, or its job and its time in UTC or the job's
 * zone, as one argument with `#` or as two.
 */
export async function findRun(
  { ledger, name }: OpenLedger,
  [text, time]: readonly [string, string | undefined],
): Promise<FoundRun> {
  const [jobId = '', ...rest] = text.split('#');
  const key = time ?? rest.join('#');
  if (key === '')
    throw new UserError(
      `"${oneLine(text)}" names no run: write JOB#TIME or JOB TIME, such as ${jobId || 'billing/send-invoices'} 2026-12-01T03:00; \`fl runs --job ${jobId || 'JOB'}\` lists them`,
    );
  const job = await knownJob(ledger, await deployedJobs(ledger, name), jobId);
  return { job, run: await onlyRun(ledger, refsOf(job, key)) };
}

function refsOf(job: KnownJob, key: string): RunRef[] {
  if (fireTimeOf(key) !== null) return [{ jobId: job.id, key }];
  return instantsOf(key, job.timezone, 'TIME').map((instant) => ({ jobId: job.id, key: fireKey(instant) }));
}

async function onlyRun(ledger: Ledger, refs: readonly RunRef[]): Promise<Run> {
  const [run, another] = await ledger.runs(refs);
  const [asked] = refs;
  if (run === undefined || asked === undefined)
    throw new UserError(
      `there is no run ${refs.map(runId).join(' or ')}; \`fl runs --job ${asked?.jobId}\` lists those that there are`,
    );
  if (another !== undefined)
    throw new UserError(
      `the clock was set back over that time, and there are two runs: ${runId(run)} and ${runId(another)}; name one by its UTC time`,
    );
  return run;
}
