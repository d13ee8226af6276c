import type { Ledger } from '../domain/ledger.ts';
import type { PublishedManifest } from '../domain/manifest.ts';
import { fireKey, fireTimeOf, type RunRef, runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import { day } from '../domain/time.ts';
import { instantsOf, isClockTime, onDayOf } from './instants.ts';
import { deployedJobs, type KnownJob, knownJob } from './known-jobs.ts';
import { askedLately, newestRun } from './newest-runs.ts';
import type { OpenLedger } from './open-ledger.ts';
import { oneLine } from './render/text.ts';
import { collected } from './runs-around.ts';
import { UserError } from './user-error.ts';

export interface FoundRun {
  readonly run: Run;
  readonly job: KnownJob;
  /** By which the job was found. */
  readonly manifest: PublishedManifest;
}

/**
 * The run that a person means: `billing/send-invoices#2026-12-01T05:00:00Z`, or its job and its time in UTC or the job's
 * zone, as one argument with `#` or as two. A job alone means its newest run when `orNewest`: to look does no harm.
 */
export async function findRun(
  { ledger, name }: OpenLedger,
  [text, time]: readonly [string, string | undefined],
  { now, orNewest }: { now: number; orNewest: boolean },
): Promise<FoundRun> {
  const [jobId = '', ...rest] = text.split('#');
  const key = time ?? rest.join('#');
  const manifest = await deployedJobs(ledger, name);
  const job = await knownJob(ledger, manifest, jobId);
  if (key !== '') return { job, manifest, run: await onlyRun(ledger, jobId, refsOf(job, key, now)) };
  const newest = orNewest
    ? await newestRun(ledger, jobId, { now, asked: await askedLately(ledger, now) })
    : null;
  if (newest !== null) return { job, manifest, run: newest };
  throw orNewest
    ? new UserError(`${jobId} has no run yet; \`fl next ${jobId}\` tells when it is due`)
    : namesNone(text, jobId);
}

function namesNone(text: string, jobId: string): UserError {
  return new UserError(
    `"${oneLine(text)}" names no run: write JOB#TIME or JOB TIME, such as ${jobId} 2026-12-01T03:00; \`fl runs --job ${jobId}\` lists them`,
  );
}

/** `05:00` is today's, by the job's calendar. */
function refsOf(job: KnownJob, key: string, now: number): RunRef[] {
  if (fireTimeOf(key) !== null) return [{ jobId: job.id, key }];
  const time = isClockTime(key) ? onDayOf(now, key, job.timezone) : key;
  return instantsOf(time, job.timezone, 'TIME').map((instant) => ({ jobId: job.id, key: fireKey(instant) }));
}

async function onlyRun(ledger: Ledger, jobId: string, refs: readonly RunRef[]): Promise<Run> {
  const [run, another] = await ledger.runs(refs);
  if (run === undefined) throw await noSuchRun(ledger, jobId, refs);
  if (another !== undefined)
    throw new UserError(
      `the clock was set back over that time, and there are two runs: ${runId(run)} and ${runId(another)}; name one by its UTC time`,
    );
  return run;
}

/** Names the runs that a person may mean. */
async function noSuchRun(ledger: Pick<Ledger, 'history'>, jobId: string, refs: readonly RunRef[]) {
  const times = refs.flatMap(({ key }) => fireTimeOf(key) ?? []);
  const [ofTimes, before, after] = await Promise.all([
    Promise.all(
      times.map((time) => collected(ledger.history(jobId, { from: time, to: time, limit: mostOffered }))),
    ),
    collected(ledger.history(jobId, { from: 0, to: Math.min(...times), order: 'newest-first', limit: 1 })),
    collected(
      ledger.history(jobId, { from: Math.max(...times), to: Math.max(...times) + aheadMs, limit: 1 }),
    ),
  ]);
  const of = ofTimes.flat().map(runId);
  const nearest = [...before, ...after].map(runId);
  const offered = [
    ...(of.length > 0 ? [`for that time there is ${of.join(', ')}`] : []),
    ...(of.length === 0 && nearest.length > 0 ? [`the nearest: ${nearest.join(', ')}`] : []),
    `\`fl runs --job ${jobId}\` lists those that there are`,
  ];
  return new UserError(`there is no run ${refs.map(runId).join(' or ')}; ${offered.join('; ')}`);
}

const mostOffered = 5;
const aheadMs = 400 * day;
