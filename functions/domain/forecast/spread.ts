import { spreadOf } from '../schedule/index.ts';
import { minute } from '../time.ts';
import { firesWithin, type Range } from './fires.ts';
import type { Entrant } from './lane.ts';
import { type Played, play } from './play.ts';

/** What is tried. */
const withins = [5, 10, 15, 20, 30, 45, 60].map((minutes) => minutes * minute);
const mostChanges = 5;
/** Of so many jobs, those with the most waits. */
const mostMoved = 12;
/** A change is worth its while when it takes so much of what was left. */
const leastGain = 0.1;
/** All changes together take so much of the waits, or nothing is suggested. */
const leastTogether = 0.5;
/** What helps takes no more steps than this many times those that were taken without it. */
const mostDearer = 2;

/** How runs wait for pools within a range. */
export type Waiting = Pick<Played, 'waits' | 'waitMs' | 'longestWaitMs'>;

/** A `spread` for a job, and what it does. */
export interface Change {
  readonly job: string;
  readonly withinMs: number;
  /** By how much it puts each time off, and by how much it is put off today. */
  readonly offsetMs: number;
  readonly presentMs: number;
  /** Its first fire as it is, epoch milliseconds. */
  readonly firstFire: number;
}

export interface Suggestion {
  readonly pools: readonly string[];
  readonly before: Waiting;
  /** None: nothing that was tried takes half of the waits. */
  readonly changes: readonly Change[];
  /** With the changes. */
  readonly after: Waiting;
  /** There was more to try than may be. */
  readonly cut: boolean;
  /** Pools that are busy nearly all the time: nothing was tried, since no spread can help. */
  readonly tooSmall: readonly string[];
}

/** How many steps may still be taken. */
export interface Budget {
  left: number;
}

/** Jobs whose runs meet on pools, as they were played. */
export interface Meeting {
  readonly entrants: readonly Entrant[];
  readonly capacities: ReadonlyMap<string, number>;
  readonly range: Range;
  readonly played: Played;
  /** The jobs whose runs wait or are waited for, the most waits first. */
  readonly colliding: readonly string[];
  readonly tooSmall: readonly string[];
}

interface Trial {
  readonly entrants: readonly Entrant[];
  readonly played: Played;
  readonly change: Change;
}

/** What was found, and whether there was more to try. */
interface Found {
  readonly played: Played;
  readonly changes: readonly Change[];
  readonly cut: boolean;
}

/**
 * Looks for the `spread` of the fewest jobs that takes most of the waits: the best one first, then the best one after
 * that; and where a few don't do, for one that all of them are given. What costs a fire is no help.
 */
export function suggestSpread(meeting: Meeting, budget: Budget): Suggestion {
  const { capacities, played: before, tooSmall } = meeting;
  const found = tooSmall.length > 0 ? { played: before, changes: [], cut: false } : search(meeting, budget);
  const helpful = helps(found, before);
  return {
    pools: [...capacities.keys()],
    before: waitingOf(before),
    changes: helpful ? found.changes : [],
    after: waitingOf(helpful ? found.played : before),
    cut: found.cut,
    tooSmall,
  };
}

function search(meeting: Meeting, budget: Budget): Found {
  const few = oneByOne(meeting, budget);
  return helps(few, meeting.played) ? few : allAtOnce(meeting, few);
}

function helps({ played }: Found, before: Played): boolean {
  return played.waitMs <= before.waitMs * (1 - leastTogether);
}

function oneByOne(meeting: Meeting, budget: Budget): Found {
  let { entrants, played } = meeting;
  const changes: Change[] = [];
  while (played.waitMs > 0 && changes.length < mostChanges) {
    const left = meeting.colliding.filter((id) => !changes.some(({ job }) => job === id));
    const tried = tryAll({ ...meeting, entrants, played, colliding: left.slice(0, mostMoved) }, budget);
    if (tried.cut) return { played, changes, cut: true };
    if (tried.best === null || tried.best.played.waitMs > played.waitMs * (1 - leastGain)) break;
    ({ entrants, played } = tried.best);
    changes.push(tried.best.change);
  }
  return { played, changes, cut: false };
}

/** One more play for each of the few that are tried. */
function allAtOnce(meeting: Meeting, otherwise: Found): Found {
  const { entrants, capacities, range, played: before } = meeting;
  let best = otherwise;
  for (const withinMs of withins) {
    const changes = meeting.colliding.flatMap((id) => changesOf(id, meeting, [withinMs]));
    const changed = changes.reduce((all, change) => moved(change, { ...meeting, entrants: all }), entrants);
    const played = play(changed, capacities, { ...range, mostSteps: mostDearer * before.steps });
    if (isNoLoss(played, before) && played.waitMs < best.played.waitMs)
      best = { played, changes, cut: otherwise.cut };
  }
  return best;
}

function waitingOf({ waits, waitMs, longestWaitMs }: Played): Waiting {
  return { waits, waitMs, longestWaitMs };
}

function tryAll(meeting: Meeting, budget: Budget): { best: Trial | null; cut: boolean } {
  let best: Trial | null = null;
  for (const change of meeting.colliding.flatMap((id) => changesOf(id, meeting))) {
    if (budget.left <= 0) return { best, cut: true };
    const trial = tryOne(change, meeting, budget);
    if (!isNoLoss(trial.played, meeting.played)) continue;
    if (best === null || isBetter(trial, best)) best = trial;
  }
  return { best, cut: false };
}

/** Less waiting, and for the same the smaller shift. */
function isBetter(one: Trial, other: Trial): boolean {
  const gain = other.played.waitMs - one.played.waitMs;
  return gain > 0 || (gain === 0 && one.change.offsetMs < other.change.offsetMs);
}

function isNoLoss(played: Played, before: Played): boolean {
  return played.lost <= before.lost && played.until >= before.until;
}

function tryOne(change: Change, meeting: Meeting, budget: Budget): Trial {
  const entrants = moved(change, meeting);
  const played = play(entrants, meeting.capacities, { ...meeting.range, mostSteps: budget.left });
  budget.left -= played.steps;
  return { entrants, played, change };
}

function moved({ job, offsetMs }: Change, { entrants, range }: Meeting): readonly Entrant[] {
  return entrants.map((entrant) => {
    if (entrant.job.id !== job) return entrant;
    return { ...entrant, fires: firesWithin({ ...entrant.job.spec, spreadMs: offsetMs }, range) };
  });
}

/** What may be tried for a job: of several that come to the same, the smallest. */
function changesOf(job: string, { entrants }: Meeting, tried = withins): Change[] {
  const entrant = entrants.find((one) => one.job.id === job);
  const firstFire = entrant?.fires[0];
  if (entrant === undefined || firstFire === undefined) return [];
  const presentMs = entrant.job.spec.spreadMs ?? 0;
  const byOffset = new Map<number, number>();
  for (const withinMs of tried) {
    const offsetMs = spreadOf(job, withinMs);
    if (offsetMs !== presentMs && !byOffset.has(offsetMs)) byOffset.set(offsetMs, withinMs);
  }
  return [...byOffset].map(([offsetMs, withinMs]) => ({ job, withinMs, offsetMs, presentMs, firstFire }));
}
