import type { Bill } from '../../../functions/domain/bill.ts';
import type { Attempt, AttemptOutcome, Run } from '../../../functions/domain/run.ts';
import { minute } from '../../../functions/domain/time.ts';
import type { Random } from '../../../functions/simulator/random.ts';
import type { SeedJob } from './jobs.ts';

interface Drawing {
  readonly start: number;
  readonly random: Random;
  /** How many times as long as usual it takes, and as often it fails. */
  readonly slowness: number;
}

const longestMs = 14 * minute;
const leaseMs = 16 * minute;
/** Between one attempt and the next. */
const pauseMs = minute;

/** Mostly a run succeeds at once; else it fails, runs out of time, is tried again, crashes, or goes on in another attempt. */
export function drawLife(
  job: SeedJob,
  drawing: Drawing,
): Partial<Run> & Pick<Run, 'state' | 'attempts'> & { readonly end: number } {
  const { outcomes, ...life } = drawOutcomes(job, drawing);
  const { start, random, slowness } = drawing;
  const tookMs = Math.min(job.usualMs * slowness * (0.6 + 0.8 * random.fraction() ** 3), longestMs);
  const attempts: Attempt[] = [];
  for (const outcome of outcomes) {
    const startedAt = Math.round((attempts.at(-1)?.settledAt ?? start - pauseMs) + pauseMs);
    attempts.push(attemptOf(attempts.length + 1, { startedAt, tookMs, outcome, random }));
  }
  return { ...life, attempts, end: attempts.at(-1)?.settledAt ?? start };
}

const error = { name: 'QueueFull', message: 'reports-db refused 12 reads: its queue is full' };

function drawOutcomes(
  { failing }: SeedJob,
  { random, slowness }: Drawing,
): Partial<Run> & Pick<Run, 'state'> & { readonly outcomes: readonly AttemptOutcome[] } {
  const drawn = random.fraction();
  if (drawn < failing * slowness)
    return { state: 'failed', reason: 'error', error, failures: 1, outcomes: ['failed'] };
  if (drawn < failing * slowness + 0.002)
    return { state: 'failed', reason: 'timed-out', outcomes: ['timed-out'] };
  if (drawn > 0.99) return { state: 'succeeded', failures: 1, outcomes: ['failed', 'succeeded'] };
  if (drawn > 0.985) return { state: 'succeeded', hops: 1, outcomes: ['continued', 'succeeded'] };
  if (drawn > 0.983) return { state: 'succeeded', crashes: 1, outcomes: ['crashed', 'succeeded'] };
  return { state: 'succeeded', outcomes: ['succeeded'] };
}

interface Drawn {
  readonly startedAt: number;
  readonly tookMs: number;
  readonly outcome: AttemptOutcome;
  readonly random: Random;
}

/** Of one that crashed nobody knows before its lease ends. */
function attemptOf(number: number, { startedAt, tookMs, outcome, random }: Drawn): Attempt {
  const requestId = random.token();
  const wallMs = outcome === 'timed-out' ? longestMs : Math.round(tookMs);
  const attempt = { number, token: `token-${requestId}`, requestId, pid: 4242, startedAt, outcome };
  const leaseUntil = startedAt + leaseMs;
  if (outcome === 'crashed') return { ...attempt, leaseUntil, settledAt: leaseUntil };
  return { ...attempt, leaseUntil, settledAt: startedAt + wallMs, bill: billOf(wallMs, random) };
}

function billOf(wallMs: number, random: Random): Bill {
  return {
    ...{ wallMs, cpuUserMs: Math.round(wallMs / 9), cpuSystemMs: Math.round(wallMs / 60) },
    ...{ peakMemoryMb: random.whole(90, 140), receivedBytes: wallMs * 40, sentBytes: 4_000 },
  };
}
