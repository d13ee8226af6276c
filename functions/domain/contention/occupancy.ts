import type { Attempt, Run } from '../run.ts';
import { staysOf, waitingsOf, weightIn } from './holding.ts';
import { common, commonMs, lengthOf, type Span } from './span.ts';
import { meteredUnits, usedDuring } from './usage.ts';

/** What one attempt had and used within a range of time; null where nobody knows. */
export interface Occupancy {
  readonly run: Run;
  /** Null: the run has its place, or only waits, and nothing has started it yet. */
  readonly attempt: Attempt | null;
  /** The part of the range in which it had its place; null: it only waited. */
  readonly held: Span | null;
  /** It is not over yet. */
  readonly goesOn: boolean;
  /** What it held of the pool; 0 of none. */
  readonly weight: number;
  /** Of the capacity over the whole range, 0 to 1. */
  readonly share: number | null;
  /** How long its run waited for the pool (without one: for anything) within the range, before this attempt. */
  readonly waitedMs: number;
  /** What it declared under the pool's name, by unit. */
  readonly metered: Readonly<Record<string, number | null>>;
  readonly cpuMs: number | null;
  readonly bytes: number | null;
}

export interface Question {
  /** A pool, or what is only metered under that name. Absent: all runs, whatever they hold. */
  readonly pool?: string;
  readonly capacity?: number;
  readonly range: Span;
  readonly now: number;
}

/** Who held a pool, metered anything under its name, or waited for it within a range. */
export function occupancies(runs: readonly Run[], question: Question): Occupancy[] {
  const { pool, range, now } = question;
  const units =
    pool === undefined
      ? []
      : meteredUnits(
          runs.flatMap(({ attempts }) => attempts),
          pool,
        );
  return runs.flatMap((run) => {
    const stays = staysOf(run, now).filter((stay) => concerns(run, stay, pool));
    const held = stays.flatMap((stay) => {
      const part = common(stay, range);
      return part === null
        ? []
        : [occupancyOf(run, { ...stay, ...part, goesOn: goesOn(stay.attempt) }, { question, units })];
    });
    const waitedMs = waitedWithin(run, question);
    if (held.length > 0) return withWaits(held, waitedMs);
    return waitedMs === 0 ? [] : [waiterOf(run, waitedMs, question)];
  });
}

function concerns(
  run: Run,
  { attempt }: { readonly attempt: Attempt | null },
  pool: string | undefined,
): boolean {
  if (pool === undefined) return attempt !== null;
  return weightIn(run, pool) > 0 || (attempt !== null && meteredUnits([attempt], pool).length > 0);
}

function goesOn(attempt: Attempt | null): boolean {
  return attempt?.settledAt === undefined;
}

function occupancyOf(
  run: Run,
  stay: Span & Pick<Occupancy, 'attempt' | 'goesOn'>,
  { question: { pool, capacity, range, now }, units }: { question: Question; units: readonly string[] },
): Occupancy {
  const { attempt, goesOn: open, from, until } = stay;
  const weight = pool === undefined ? 0 : weightIn(run, pool);
  const used = (measure: Parameters<typeof usedDuring>[1]) =>
    attempt === null ? null : usedDuring(attempt, measure, { during: [range], now });
  const metered = units.map((unit) => [unit, used({ of: 'metered', name: pool ?? '', unit })] as const);
  return {
    ...{ run, attempt, weight, goesOn: open, waitedMs: 0 },
    held: { from, until },
    share: capacity === undefined ? null : (weight * (until - from)) / (capacity * lengthOf(range)),
    metered: Object.fromEntries(metered),
    cpuMs: used({ of: 'cpu' }),
    bytes: used({ of: 'bytes' }),
  };
}

function waiterOf(run: Run, waitedMs: number, { pool }: Question): Occupancy {
  const weight = pool === undefined ? 0 : (run.waitsFor?.[pool] ?? weightIn(run, pool));
  const unknown = { share: null, metered: {}, cpuMs: null, bytes: null };
  return { run, attempt: null, held: null, goesOn: run.state === 'waiting', weight, waitedMs, ...unknown };
}

/** A run's waits stand at its first attempt within the range. */
function withWaits(held: readonly Occupancy[], waitedMs: number): Occupancy[] {
  return held.map((one, index) => (index === 0 ? { ...one, waitedMs } : one));
}

function waitedWithin(run: Run, { pool, range, now }: Question): number {
  return commonMs(poolWaits(run, pool, now), [range]);
}

/** When a run waited for a pool; without one, for anything. */
export function poolWaits(run: Run, pool: string | undefined, now: number): Span[] {
  const waits = waitingsOf(run, now);
  return pool === undefined ? waits : waits.filter(({ pools = {} }) => Object.hasOwn(pools, pool));
}

/** Whether any of them held some of the pool. */
export function isHeld(all: readonly Occupancy[]): boolean {
  return all.some(({ held, weight }) => held !== null && weight > 0);
}

/** By what the list is sorted: a unit that is metered, or one of these. */
type By = 'held' | 'cpu' | 'bytes' | (string & {});

/** The most first; those of which it isn't known, last. */
export function sortedBy(by: By, all: readonly Occupancy[]): Occupancy[] {
  const most = (one: Occupancy) => amountBy(by, one) ?? -1;
  return [...all].sort((a, b) => most(b) - most(a) || heldValue(b) - heldValue(a));
}

/** A unit that is metered comes before what every bill has, should their names be the same. */
function amountBy(by: By, one: Occupancy): number | null {
  const own: Readonly<Record<string, number | null>> = {
    held: heldValue(one),
    cpu: one.cpuMs,
    bytes: one.bytes,
    ...one.metered,
  };
  return own[by] ?? null;
}

/** Weight times time; where nothing has a weight, the time. */
function heldValue({ held, weight }: Occupancy): number {
  return held === null ? 0 : lengthOf(held) * Math.max(1, weight);
}
