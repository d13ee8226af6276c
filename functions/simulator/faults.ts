import type { Random } from './random.ts';

export interface Fault {
  /** What goes wrong, for people. */
  readonly what: string;
  /** How likely it is at each occasion. Of faults that are laid out beforehand: how likely a seed has one. */
  readonly chance: number;
}

/** What can go wrong, by name. */
export const faultTable = {
  'lost-delivery': { what: 'the alarm clock never delivers', chance: 0.03 },
  'doubled-delivery': { what: 'the alarm clock delivers twice, up to five minutes apart', chance: 0.06 },
  'late-delivery': { what: 'the alarm clock delivers up to ten minutes late', chance: 0.03 },
  'early-delivery': { what: 'the alarm clock delivers up to five minutes early', chance: 0.01 },
  'bare-placeholder': { what: 'the scheduled time arrives as the placeholder that it was', chance: 0.02 },
  'dead-letter': { what: 'the alarm clock gives a delivery up, and tells the control queue', chance: 0.01 },

  'lost-event': { what: 'Lambda loses an accepted event', chance: 0.02 },
  'doubled-event': { what: 'Lambda delivers an event twice', chance: 0.04 },
  'slow-event': { what: 'Lambda keeps an event for up to its greatest age', chance: 0.02 },
  'aged-event': { what: 'Lambda drops an event that became too old, and records it', chance: 0.01 },
  'refused-invoke': { what: 'Lambda refuses an invocation, or its answer is lost', chance: 0.02 },
  'slow-cold-start': { what: 'a sandbox takes up to 20 seconds to start', chance: 0.1 },
  'old-code': { what: 'Lambda serves the code of before a deploy for another minute', chance: 0.3 },

  'crash-before-start': { what: 'the sandbox dies before it writes its start', chance: 0.01 },
  'crash-after-start': { what: 'the sandbox dies once its start is written', chance: 0.01 },
  'crash-in-body': { what: 'the sandbox dies while job code runs', chance: 0.02 },
  'crash-before-step': { what: 'the sandbox dies before it reads steps, or writes one', chance: 0.01 },
  'crash-after-step': { what: 'the sandbox dies once its steps are read, or one is written', chance: 0.01 },
  'crash-in-step': {
    what: 'the sandbox dies in the midst of a step, before what it does is done or after it',
    chance: 0.01,
  },
  'thawed-sandbox': {
    what: 'a sandbox that died in job code was only frozen, and goes on once its run is taken over',
    chance: 0.15,
  },
  'crash-before-finish': { what: 'the sandbox dies before it writes its finish', chance: 0.01 },
  'crash-after-finish': { what: 'the sandbox dies once its finish is written', chance: 0.01 },
  'crash-of-reconciler': { what: 'the reconciler dies before or after one of its requests', chance: 0.002 },

  'slow-body': { what: 'job code runs past its timeout, and ends when it is aborted', chance: 0.01 },
  'deaf-body': { what: 'job code ignores its abort', chance: 0.01 },
  'failing-body': { what: 'job code throws', chance: 0.04 },
  'failing-step': { what: 'the work of a step throws', chance: 0.02 },
  'refused-commit': { what: "a condition of a commit's own writes does not hold", chance: 0.03 },
  'leaking-body': { what: 'job code lets an error escape', chance: 0.01 },

  'throttled-store': { what: 'the store throttles a request', chance: 0.01 },
  'silent-store': { what: 'a request never reaches the store, and times out', chance: 0.004 },
  'late-request': {
    what: 'a request reaches the store up to ten minutes late, its sender dead or going on without it',
    chance: 0.004,
  },
  'lost-answer': { what: 'the store writes, and its answer is lost', chance: 0.01 },
  'colliding-writes': { what: 'transactions collide until all tries are used up', chance: 0.01 },
  'slow-store': { what: 'the store takes up to two seconds to answer', chance: 0.02 },
  'stale-index': { what: 'the index of open runs is up to 30 seconds behind', chance: 0.1 },

  'lost-nudge': { what: 'a nudge is not sent', chance: 0.1 },
  'doubled-message': { what: 'the control queue delivers a message twice', chance: 0.1 },
  'reordered-messages': { what: 'the control queue lets messages overtake each other', chance: 0.1 },
  'poison-message': { what: 'somebody puts a text that nobody knows on the control queue', chance: 0.001 },

  'lost-sweep': { what: 'the minute of a sweep is not delivered', chance: 0.01 },
  'short-outage': { what: 'the reconciler stands still for minutes', chance: 0.7 },
  'long-outage': { what: 'all of it stands still for hours or days', chance: 0.5 },
  'store-outage': { what: 'the store answers nobody for minutes', chance: 0.4 },
  'clock-skew': { what: 'clocks are up to 30 seconds apart', chance: 0.7 },
  'edited-schedule': { what: 'a deploy changes schedules', chance: 0.7 },
  'edited-policies': {
    what: 'a deploy changes what jobs say of misses, crashes, overlap and times',
    chance: 0.5,
  },
  'edited-pools': {
    what: 'a deploy changes pools and what jobs take of them, takes a pool away or brings it back',
    chance: 0.7,
  },
  'new-job': { what: 'a deploy brings a job', chance: 0.5 },
  'removed-job': { what: 'a deploy takes a job away', chance: 0.5 },
  rollback: { what: 'a deploy goes back to the version before', chance: 0.4 },
  'stacks-apart': { what: 'a deploy reaches reconciler, functions and alarms minutes apart', chance: 0.7 },
  'paused-job': { what: 'a person pauses a job for a while', chance: 0.7 },
  'manual-run': { what: 'a person starts a job', chance: 0.7 },
  'released-run': { what: 'a person has a parked run decided', chance: 0.7 },
  'canceled-run': { what: 'a person cancels a run', chance: 0.7 },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faultTable;

export const faultNames = Object.keys(faultTable) as readonly FaultName[];

export type Strikes = Readonly<Record<FaultName, number>>;

export interface FaultPlan {
  /** The faults that may strike at all. */
  readonly enabled: ReadonlySet<FaultName>;
  /** After so many strikes no more come. @default any number */
  readonly mostStrikes?: number;
  /** By how much more or less likely than in the table they are at each occasion. @default 1 */
  readonly intensity?: number;
  /** Strikes that are left out, by their place in the order of all. @default none */
  readonly without?: ReadonlySet<number>;
  /** Instead of the table's. */
  readonly chances?: Readonly<Partial<Record<FaultName, number>>>;
}

/** A fault that struck, and its place in the order of all strikes, by which a plan names it. */
export interface Strike {
  readonly fault: FaultName;
  readonly place: number;
}

/** Chances below it are those of faults that have many occasions. */
const rare = 0.2;

/** Decides when faults strike, and counts them. Each fault has a stream of its own. */
export class Faults {
  readonly #plan: FaultPlan;
  readonly #tell: (strike: Strike) => void;
  readonly #streams: Readonly<Record<FaultName, Random>>;
  readonly #chances: Readonly<Record<FaultName, number>>;
  /** Of the last strike of each. A strike that is left out draws nothing that the others would miss. */
  readonly #extents: Record<FaultName, Random>;
  readonly #strikes: Record<FaultName, number>;
  #total = 0;
  #isCalm = false;

  /** `tell`: is told of each strike as it happens. */
  constructor(plan: FaultPlan, random: Random, tell: (strike: Strike) => void = () => {}) {
    this.#plan = plan;
    this.#tell = tell;
    this.#streams = byName((name) => random.fork(name));
    this.#chances = byName((name) => chanceOf(name, plan));
    this.#extents = { ...this.#streams };
    this.#strikes = byName(() => 0);
  }

  /** Whether it strikes now. */
  strikes(name: FaultName): boolean {
    if (this.#isCalm || !this.#plan.enabled.has(name)) return false;
    const stream = this.#streams[name];
    if (!stream.chance(this.#chances[name])) return false;
    this.#extents[name] = stream.fork('extent');
    const place = this.#total;
    this.#total += 1;
    const { mostStrikes = Number.POSITIVE_INFINITY, without } = this.#plan;
    if (place >= mostStrikes || without?.has(place)) return false;
    this.#strikes[name] += 1;
    this.#tell({ fault: name, place });
    return true;
  }

  /** The stream by which the extent of a fault's last strike is drawn: how late, how long. */
  extent(name: FaultName): Random {
    return this.#extents[name];
  }

  /** From now on nothing strikes. */
  calm(): void {
    this.#isCalm = true;
  }

  get isCalm(): boolean {
    return this.#isCalm;
  }

  get counts(): Strikes {
    return this.#strikes;
  }

  /** All strikes so far, those included that were left out. */
  get total(): number {
    return this.#total;
  }
}

function chanceOf(name: FaultName, { chances = {}, intensity = 1 }: FaultPlan): number {
  const { chance } = faultTable[name];
  return chances[name] ?? (chance < rare ? chance * intensity : chance);
}

function byName<T>(of: (name: FaultName) => T): Record<FaultName, T> {
  return Object.fromEntries(faultNames.map((name) => [name, of(name)])) as Record<FaultName, T>;
}

/** Each seed draws the faults that it has to do with, about two thirds of those allowed: together they would hide each other. */
export function drawFaults(allowed: readonly FaultName[], random: Random): ReadonlySet<FaultName> {
  return new Set(allowed.filter(() => random.chance(2 / 3)));
}
