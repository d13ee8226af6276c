import { fireKey } from '../../../functions/domain/names.ts';
import { newRun, type Run, type Wait } from '../../../functions/domain/run.ts';
import { day, hour, minute, second } from '../../../functions/domain/time.ts';
import type { Random } from '../../../functions/simulator/random.ts';
import { drawLife } from './attempts.ts';
import type { SeedJob } from './jobs.ts';
import { Places } from './places.ts';
import { underWay } from './under-way.ts';

export interface SeedFire {
  readonly job: SeedJob;
  readonly specId: string;
  readonly at: number;
}

interface World {
  readonly places: Places;
  readonly random: Random;
  readonly now: number;
}

/** What became of fires, which come by when they were due. Those that aren't over at `now` run, or wait. */
export function livesOf(fires: readonly SeedFire[], random: Random, now: number): Run[] {
  const places = new Places();
  return fires.map((fire) => lifeOf(fire, { places, random, now }));
}

function within(at: number, from: number, ms: number): boolean {
  return at >= from && at < from + ms;
}

/** Five days ago nothing ran for over an hour; two days ago a database was slow; since yesterday the jobs that fail are paused. */
function lifeOf(fire: SeedFire, world: World): Run {
  const { at, job } = fire;
  const { places, random, now } = world;
  const { missed, overlap } = job.entry;
  if (pausedSince(job, now) <= at) return neverRan(fire, { state: 'skipped', reason: 'paused' });
  if (random.chance(0.002)) return neverRan(fire, { state: 'canceled', reason: 'operator' });
  const isMissed = within(at, now - 5 * day, 70 * minute) || random.chance(0.001);
  if (isMissed && missed.policy === 'skip') return neverRan(fire, { state: 'missed', reason: 'policy' });
  if (isMissed && at < now - hour * 2) return ranOnce(fire, world, at + 75 * minute);
  const isBusy = places.slotFree(job) > at;
  if (isBusy && overlap === 'skip') return neverRan(fire, { state: 'skipped', reason: 'overlap' });
  return ranOnce(fire, world, at + random.whole(800, 2_000));
}

export function pausedSince({ failing }: SeedJob, now: number): number {
  return failing > 0.1 ? now - day : Number.POSITIVE_INFINITY;
}

function recorded({ job, specId, at }: SeedFire, of: Partial<Run> & Pick<Run, 'state'>): Run {
  const key = fireKey(at);
  return newRun({
    ...{ jobId: job.entry.id, key, fireTime: at, trigger: 'schedule', specId },
    ...{ token: `token-of-${key}`, createdAt: at + second },
    ...of,
  });
}

function neverRan(fire: SeedFire, of: Pick<Run, 'state' | 'reason'>): Run {
  const at = fire.at + (of.state === 'missed' ? 4 * minute : second);
  return recorded(fire, { ...of, settledAt: at, createdAt: at });
}

/** It waited where it had to, and then went as `drawLife` says. */
function ranOnce(fire: SeedFire, { places, random, now }: World, from: number): Run {
  const { at, job } = fire;
  const { pools } = job.entry;
  const hasSlot = Math.max(from, places.slotFree(job));
  const start = Math.max(hasSlot, places.poolsFree(pools));
  const createdAt = Math.min(from, at + 4 * minute);
  const waits = [
    ...waitOf('catch-up', createdAt, from),
    ...waitOf('slot', from, hasSlot),
    ...waitOf('pool', hasSlot, start).map((wait) => ({ ...wait, ...(pools && { pools }) })),
  ];
  const isSlow = within(start, now - 2 * day - 8 * hour, 4 * hour) && pools?.['reports-db'] !== undefined;
  const { end, ...life } = drawLife(job, { start, random, slowness: isSlow ? 5 : 1 });
  places.take(job, end);
  const run = recorded(fire, {
    ...life,
    ...{ createdAt, settledAt: end, waits, duplicates: random.chance(0.004) ? 1 : 0 },
    ...(pools && { holds: pools }),
  });
  return underWay(run, start, now);
}

function waitOf(reason: Wait['reason'], from: number, until: number): Wait[] {
  return until > from ? [{ reason, from, until }] : [];
}
