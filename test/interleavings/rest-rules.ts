import type { Ledger } from '../../functions/domain/ledger.ts';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { runId } from '../../functions/domain/names.ts';
import { isOpen, type Run } from '../../functions/domain/run.ts';
import { minute, second } from '../../functions/domain/time.ts';
import { auditLedger } from '../../functions/store/audit-ledger.ts';
import { brokenPoolAtRest } from '../support/pool-rules.ts';
import { fromNoon } from './acts.ts';
import type { Watch } from './watch.ts';

/** Sooner or later it must end. */
export function isUnderWay({ state }: Run): boolean {
  return isOpen(state) && state !== 'parked';
}

/** What is wrong with a ledger in which nothing is going to happen any more. */
export async function brokenAtRest(
  ledger: Ledger,
  watch: Watch,
  { jobs, pools }: { jobs: readonly ManifestJob[]; pools: readonly string[] },
): Promise<string[]> {
  const states = await ledger.pools(pools);
  const broken = [...states.values()].flatMap(brokenPoolAtRest);
  for (const job of jobs) {
    const runs = watch.runsOf(job.id);
    broken.push(...runs.filter(isUnderWay).map((run) => `${runId(run)} is still ${run.state}`));
    broken.push(...(await brokenState(ledger, job.id)), ...(await brokenAudit(ledger, watch, job.id)));
    broken.push(...runs.flatMap((run) => brokenEnd(run, watch, job)));
  }
  return broken;
}

async function brokenState(ledger: Ledger, jobId: string): Promise<string[]> {
  const state = await ledger.job(jobId);
  const waiting = state?.catchUp.waiting ?? 0;
  return [
    ...(state?.slot === undefined ? [] : [`the slot of ${jobId} is ${state.slot}'s for ever`]),
    ...(waiting === 0 ? [] : [`${waiting} runs of ${jobId} are counted that do not wait`]),
  ];
}

async function brokenAudit(ledger: Ledger, watch: Watch, jobId: string): Promise<string[]> {
  const range = { from: fromNoon(-600), to: fromNoon(1_800) };
  const { missing, extra, doubleRuns } = await auditLedger(ledger, [jobId], range);
  const versions = await ledger.specs(jobId);
  const undue = extra.filter((id) => !versions.some(({ from }) => isBetweenClocks(watch.runs.get(id), from)));
  return [
    ...missing.map((id) => `${id} is missing`),
    ...undue.map((id) => `${id} was never due`),
    ...(doubleRuns === 0 ? [] : [`${jobId} has ${doubleRuns} double runs`]),
  ];
}

/**
 * A version of a schedule is in force from the instant at which its sweep began, by that sweep's clock, and is written up to a
 * minute later. A fire in between may have been started under the version before.
 */
function isBetweenClocks(run: Run | undefined, from: number): boolean {
  return run !== undefined && run.fireTime > from && run.fireTime <= from + minute + 30 * second;
}

function brokenEnd(run: Run, watch: Watch, { crashed }: ManifestJob): string[] {
  const id = runId(run);
  const broken: string[] = [];
  const successes = run.attempts.filter(({ outcome }) => outcome === 'succeeded').length;
  if (successes !== (run.state === 'succeeded' ? 1 : 0))
    broken.push(`${id} is ${run.state} with ${successes} successes`);
  const standing = standingFor(run, watch);
  if (standing === null) broken.push(`${id} is left to ${run.supersededBy}, which is not there`);
  else if (standing !== run && standing.state === 'succeeded' && !standing.covers?.includes(run.fireTime))
    broken.push(`${runId(standing)} succeeded without a word of ${id}, for which it stands`);
  if (crashed === 'park' && watch.bodies.startsOf(id) > 1 + watch.rerunsOf(id))
    broken.push(`${id} ran again, though nobody had decided that`);
  return broken;
}

/** The run that a superseded one is left to in the end. */
function standingFor(run: Run, watch: Watch): Run | null {
  if (run.supersededBy === undefined || run.state === 'canceled') return run;
  const by = watch.runs.get(runId({ jobId: run.jobId, key: run.supersededBy }));
  return by === undefined ? null : standingFor(by, watch);
}
