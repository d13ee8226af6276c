import type { JobState, SpecVersion } from '../../functions/domain/job-state.ts';
import type { Answer, Effect, Ledger } from '../../functions/domain/ledger.ts';
import { newRun, type Run } from '../../functions/domain/run.ts';
import { every, type Spec } from '../../functions/domain/schedule/index.ts';
import { claimOf, type Entry, type StartingJob } from '../../functions/domain/start.ts';

/** The instants, jobs and records that the ledger's rules are told with. */
export const fireTime = Date.parse('2026-11-30T19:00:00Z');
export const jobId = 'billing/send-invoices';
export const spec: Spec = { schedules: [every('1 hour')], timezone: 'Asia/Taipei' };
export const job: StartingJob = { id: jobId, specId: 'spec-1', overlap: 'skip' };

export function entry(token: string, now = fireTime + 2_000): Entry {
  return { token, requestId: `request-of-${token}`, pid: 42, now, remainingMs: 60_000 };
}

/** What the delivery with this token claims the fire with. */
export function claim(
  token: string,
  of: Partial<StartingJob> = {},
  at = fireTime,
): { run: Run; effect: Effect } {
  return claimOf({ ...job, ...of }, at, entry(token, at + 2_000));
}

export function version(specId: string, from: number, of = jobId): SpecVersion {
  return { jobId: of, from, specId, spec };
}

export function removal(from: number): SpecVersion {
  return { jobId, from, specId: 'removed', spec: null };
}

/** A ledger that knows the job, with its first schedule in force. */
export async function publishFirst(ledger: Ledger, of = jobId): Promise<void> {
  await ledger.publish(version('spec-1', fireTime - 86_400_000, of), null);
}

/** A run of the job in some state, without a job's part in it. */
export function record(at: number, more: Partial<Run> = {}): Run {
  return newRun({
    jobId,
    key: `${new Date(at).toISOString().slice(0, 19)}Z`,
    fireTime: at,
    trigger: 'schedule',
    state: 'missed',
    specId: 'spec-1',
    token: 'recorded',
    createdAt: at,
    ...more,
  });
}

export async function stateOf(ledger: Ledger, of = jobId): Promise<JobState> {
  const state = await ledger.job(of);
  if (state === null) throw new Error(`The ledger does not know ${of}.`);
  return state;
}

/** The refusal among answers, or a failure that tells what it was instead. */
export function refused(answer: Answer): Answer & { kind: 'refused' } {
  if (answer.kind !== 'refused') throw new Error(`Expected a refusal, not "${answer.kind}".`);
  return answer;
}

export async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
