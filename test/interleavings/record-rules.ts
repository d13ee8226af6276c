import { isDeepStrictEqual } from 'node:util';
import { earliestMs } from '../../functions/domain/delivery.ts';
import type { JobState } from '../../functions/domain/job-state.ts';
import { runId } from '../../functions/domain/names.ts';
import { isOpen, type Run, type RunState } from '../../functions/domain/run.ts';

/** Where a record may go from each state. */
export const arrows = {
  absent: ['running', 'offered', 'waiting', 'skipped', 'missed', 'canceled'],
  waiting: ['offered', 'waiting', 'skipped', 'canceled'],
  offered: ['running', 'offered', 'waiting', 'skipped', 'canceled'],
  running: ['running', 'succeeded', 'failed', 'offered', 'waiting', 'parked', 'canceled'],
  parked: ['waiting', 'failed', 'canceled'],
} as const satisfies Partial<Record<RunState | 'absent', readonly RunState[]>>;

/** What is wrong with a change of a run's record. */
export function brokenByChange(before: Run | null, after: Run): string[] {
  if (before !== null && isDeepStrictEqual({ ...before, duplicates: 0 }, { ...after, duplicates: 0 }))
    return [];
  const from = before?.state ?? 'absent';
  const ways: Partial<Record<RunState | 'absent', readonly RunState[]>> = arrows;
  const broken = ways[from]?.includes(after.state)
    ? []
    : [`${runId(after)} went from ${from} to ${after.state}`];
  if (before === null) return broken;
  if (!isOpen(before.state)) broken.push(`the terminal record of ${runId(after)} was changed`);
  if (before.cancelRequested !== undefined && !isEnding(after))
    broken.push(`${runId(after)} was asked to end, and goes on: it is ${after.state}`);
  return [...broken, ...brokenAttempts(before, after)];
}

/** It runs on until it notices, and then it has ended. */
function isEnding({ state, cancelRequested }: Run): boolean {
  return cancelRequested !== undefined && (state === 'running' || !isOpen(state));
}

/** Attempts are added one by one, and what has ended stays as it is. */
function brokenAttempts(before: Run, after: Run): string[] {
  const id = runId(after);
  const broken: string[] = [];
  before.attempts.forEach((attempt, index) => {
    if (attempt.outcome !== undefined && !isDeepStrictEqual(attempt, after.attempts[index]))
      broken.push(`attempt ${index + 1} of ${id} had ended and was changed`);
  });
  if (after.attempts.length > before.attempts.length + 1) broken.push(`${id} got two attempts at once`);
  if (after.attempts.filter(({ outcome }) => outcome === undefined).length > 1)
    broken.push(`${id} has two attempts that have not ended`);
  return broken;
}

/**
 * What is wrong with a job's state beside its runs, which one transaction keeps together. The first run that is canceled with
 * its removed job takes the whole tally with it, so that it may then be behind.
 */
export function brokenBeside(job: JobState, runs: readonly Run[], before: JobState | undefined): string[] {
  const broken: string[] = [];
  const holders = runs.filter((run) => run.hasSlot).map(({ key }) => key);
  if (holders.length > 1 || holders[0] !== job.slot)
    broken.push(`the slot of ${job.jobId} is ${job.slot}'s, and ${holders.join(', ') || 'no run'} has it`);
  const waitingFor = (reason: Run['reason']) =>
    runs.filter((run) => run.state === 'waiting' && run.reason === reason).length;
  const [waiting, queued] = [waitingFor('catch-up'), waitingFor('slot')];
  const wasRemoved = runs.some((run) => run.reason === 'removed');
  if (waiting !== job.catchUp.waiting && !(wasRemoved && waiting > job.catchUp.waiting))
    broken.push(`${waiting} runs of ${job.jobId} wait to be made up, and ${job.catchUp.waiting} are counted`);
  if (queued !== job.queued)
    broken.push(`${queued} runs of ${job.jobId} wait for its slot, and ${job.queued} are counted`);
  if (before !== undefined && !isDeepStrictEqual(before.paused, job.paused))
    broken.push(`the pause of ${job.jobId} was changed`);
  return broken;
}

/** What is wrong with a claim, by the clock of its process. */
export function brokenClaim(
  before: Run | null,
  { state, fireTime, createdAt, ...ref }: Run,
  graceMs: number,
): string[] {
  if (before !== null || state !== 'running') return [];
  const isEarly = createdAt < fireTime - earliestMs;
  const isLate = createdAt > fireTime + graceMs;
  return isEarly || isLate
    ? [`${runId(ref)} was claimed ${isEarly ? 'before its time' : 'after its grace'}`]
    : [];
}

/** What is wrong with a start that was written for a job in this state. */
export function brokenStart(before: Run | null, after: Run, job: JobState | undefined): string[] {
  const begins = after.state === 'offered' || (after.state === 'running' && before === null);
  if (!begins || job === undefined || before?.token === after.token) return [];
  const broken = job.paused === undefined ? [] : [`${runId(after)} was started while its job was paused`];
  const isOfForce = job.specId === after.specId && job.specSince < after.fireTime;
  if (after.state === 'running' && !isOfForce)
    broken.push(`${runId(after)} was claimed under a schedule that was not in force`);
  return broken;
}
