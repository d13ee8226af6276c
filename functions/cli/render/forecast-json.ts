import type {
  Change,
  JobForecast,
  Overlap,
  Peak,
  PoolForecast,
  Suggestion,
} from '../../domain/forecast/index.ts';
import { formatDuration } from '../../domain/schedule/index.ts';
import { toIso } from '../../domain/time.ts';
import type { Foreseen } from './forecast-text.ts';

/** The forecast for scripts: instants in ISO, times in milliseconds. */
export function forecastJson({ forecast, past, paused }: Foreseen): Readonly<Record<string, unknown>> {
  const { from, to, until, pools, suggestions, overlaps, neverAdmitted, jobs } = forecast;
  return {
    from: toIso(from),
    to: toIso(to),
    foreseenUntil: toIso(until),
    pools: pools.map(poolJson),
    suggestions: suggestions.map(suggestionJson),
    overlaps: overlaps.map(overlapJson),
    neverAdmitted,
    jobs: jobs.map((job) => ({ ...jobJson(job), endedOtherwise: past.get(job.id)?.endedOtherwise ?? {} })),
    paused,
  };
}

function poolJson(pool: PoolForecast): Readonly<Record<string, unknown>> {
  const { name, capacity, until, use, waits, waitMs, longestWaitMs, enough } = pool;
  return {
    name,
    capacity,
    capacityWithoutWaits: enough,
    foreseenUntil: toIso(until),
    use: Math.round(use * 10_000) / 10_000,
    waits,
    waitMs,
    longestWaitMs,
    timesOverCapacity: pool.peakCount,
    overCapacityMs: pool.overMs,
    peaks: pool.peaks.map(peakJson),
    peaksLeftOut: pool.peakCount - pool.peaks.length,
    collisions: pool.collisions,
  };
}

function peakJson({ from, to, demand, jobs }: Peak): Readonly<Record<string, unknown>> {
  return { from: toIso(from), to: toIso(to), demand, jobs };
}

function suggestionJson({ pools, before, after, changes, cut, tooSmall }: Suggestion) {
  return { pools, changes: changes.map(changeJson), before, after, tooSmall, searchedAll: !cut };
}

function changeJson({ job, withinMs, offsetMs, presentMs, firstFire }: Change) {
  return {
    job,
    spread: formatDuration(withinMs),
    offsetMs,
    presentOffsetMs: presentMs,
    from: toIso(firstFire),
    to: toIso(firstFire - presentMs + offsetMs),
  };
}

function jobJson({ samples, until, ...job }: JobForecast): Readonly<Record<string, unknown>> {
  return { ...job, ...basis(samples), foreseenUntil: toIso(until) };
}

function overlapJson({ samples, ...overlap }: Overlap): Readonly<Record<string, unknown>> {
  return { ...overlap, ...basis(samples) };
}

function basis(samples: number): { basis: 'history' | 'timeout'; samples: number } {
  return { basis: samples === 0 ? 'timeout' : 'history', samples };
}
