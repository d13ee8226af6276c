import type { DayRecord, DayRef } from '../domain/closed-days/index.ts';
import type { JobState } from '../domain/job-state.ts';
import type { PoolState, Weights } from '../domain/pools.ts';
import type { Run } from '../domain/run.ts';
import { toIso } from '../domain/time.ts';

/** What was written, for the trace. */
export function recordText({
  state,
  reason,
  token,
  attempts,
  duplicates,
  hasSlot,
  waitsFor,
  cancelRequested,
}: Run): string {
  const parts = [
    reason === undefined ? state : `${state}: ${reason}`,
    `token ${token.slice(0, 8)}`,
    ...(attempts.length > 0 ? [`${attempts.length} attempts`] : []),
    ...(duplicates > 0 ? [`${duplicates} duplicates`] : []),
    ...(hasSlot ? ['has the slot'] : []),
    ...(waitsFor ? [`waits for ${weightsText(waitsFor)}`] : []),
    ...(cancelRequested ? [`asked to end: ${cancelRequested.reason}`] : []),
  ];
  return parts.join(', ');
}

export function stateText({ jobId, slot, paused, catchUp, specId, strays }: JobState): string {
  const parts = [
    `state of ${jobId}: slot ${slot ?? 'free'}`,
    ...(paused ? ['paused'] : []),
    ...(catchUp.waiting > 0 ? [`${catchUp.waiting} wait`] : []),
    `spec ${specId?.slice(0, 8) ?? 'none'}`,
    `${strays} strays`,
  ];
  return parts.join(', ');
}

export function dayText({ jobId, day }: DayRef, { closed, reopened }: DayRecord): string {
  const date = toIso(day).slice(0, 10);
  if (reopened !== undefined || closed === null) return `${date} of ${jobId} is opened`;
  return `${date} of ${jobId} is closed: ${closed.runs.length} runs`;
}

export function poolText({ name, capacity, free, waiting, holds }: PoolState): string {
  return `pool ${name}: ${free} of ${capacity} free, held ${weightsText(holds) || 'by nobody'}, ${waiting} wait`;
}

function weightsText(weights: Weights): string {
  return Object.entries(weights)
    .map(([name, weight]) => `${name} ${weight}`)
    .join(', ');
}
