import { createHash } from 'node:crypto';
import { minute, second } from '../domain/time.ts';

/** What chaos does, by the names under which it is counted. */
export const faults = ['drops', 'duplicates', 'delays', 'kills'] as const;

export type Fault = (typeof faults)[number];

/** Who gets what is disturbed: a job's function, the reconciler's, or whoever reads the control queue. */
export type Target = 'job' | 'reconciler' | 'message';

/** One arrival of a delivery, and what becomes of the process that handles it. */
export interface Arrival {
  /** From now. */
  readonly afterMs: number;
  /** From its arrival, provided that it is still being handled then. Absent: it is left alone. */
  readonly killAfterMs?: number;
}

export interface Chaos {
  readonly seed: number;
  /** How the next delivery to `place`, which is a `target`, arrives: the first one, and its duplicates. None: it is lost. */
  fateOf(target: Target, place: string, now: number): readonly Arrival[];
}

/** How often each fault strikes a delivery. */
const rates: Readonly<Record<Target, Readonly<Record<Fault, number>>>> = {
  job: { drops: 0.1, duplicates: 0.15, delays: 0.2, kills: 0.15 },
  reconciler: { drops: 0.05, duplicates: 0.1, delays: 0.1, kills: 0.1 },
  message: { drops: 0.1, duplicates: 0.15, delays: 0.2, kills: 0 },
};

/** Some come after the longest usual grace. */
const delayMs = { least: 300, most: 4 * minute } as const;
/** Two that come at once are as likely as two that come seconds apart. */
const apartMs = { least: 1, most: 20 * second } as const;
/** From a process that has not begun yet to one that is about to end. */
const killMs = { least: 5, most: 10 * second } as const;

/**
 * For so long the reconciler is left alone once a sweep was lost, late or killed: nothing can be promised of one that never
 * gets to work.
 */
const sparedMs = 4 * minute;

/**
 * How long after its grace a fire may still be without a record: a sweep was killed and its lease has to end, and then the
 * minute's next one comes.
 */
export const repairMs = 4 * minute;

/**
 * Decides what strikes. A decision depends on the seed, the place and how many deliveries that place has had, and on no
 * other draw: so the same seed strikes a job's third delivery alike, whatever the other jobs do meanwhile.
 */
export function chaosOf(seed: number): Chaos {
  const counts = new Map<string, number>();
  let sparedUntil = Number.NEGATIVE_INFINITY;
  return {
    seed,
    fateOf: (target, place, now) => {
      const nth = (counts.get(place) ?? 0) + 1;
      counts.set(place, nth);
      const draw = (what: string) => drawn(`${seed} ${place} ${nth} ${what}`);
      if (target !== 'reconciler') return fate(rates[target], draw);
      if (now < sparedUntil) return [{ afterMs: 0 }];
      const arrivals = fate(rates[target], draw);
      if (isHarmed(arrivals)) sparedUntil = now + sparedMs + (arrivals[0]?.afterMs ?? 0);
      return arrivals;
    },
  };
}

function isHarmed(arrivals: readonly Arrival[]): boolean {
  return arrivals[0]?.afterMs !== 0 || arrivals.some(({ killAfterMs }) => killAfterMs !== undefined);
}

type Draw = (what: string) => number;

/** Each fault has draws of its own: how often one strikes says nothing of another. */
function fate(rate: Readonly<Record<Fault, number>>, draw: Draw): Arrival[] {
  if (draw('drop') < rate.drops) return [];
  const firstMs = draw('delay') < rate.delays ? between(delayMs, draw('delayed by')) : 0;
  const extra = draw('duplicate') < rate.duplicates ? 1 + Math.floor(2 * draw('duplicates')) : 0;
  return Array.from({ length: 1 + extra }, (_, copy) => ({
    afterMs: copy === 0 ? firstMs : firstMs + between(apartMs, draw(`apart ${copy}`)),
    ...(draw(`kill ${copy}`) < rate.kills && { killAfterMs: between(killMs, draw(`killed after ${copy}`)) }),
  }));
}

/** As many short ones as long ones: every factor of ten gets its share. */
function between({ least, most }: { least: number; most: number }, draw: number): number {
  return Math.round(least * (most / least) ** draw);
}

/** In [0, 1). A hash instead of a stream of random numbers: no draw depends on how many were made before it. */
function drawn(what: string): number {
  return createHash('sha256').update(what).digest().readUInt32BE() / 2 ** 32;
}
