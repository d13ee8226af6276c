import type { Waiter } from '../admission.ts';
import { type ManifestJob, queues, takesSlot } from '../manifest.ts';
import { mostQueued } from '../queue.ts';
import type { Expectation } from './duration.ts';
import type { PoolMeter } from './pool-meter.ts';

/** A job as the forecast plays it. */
export interface Entrant extends Expectation {
  readonly job: ManifestJob;
  /** Ascending. */
  readonly fires: readonly number[];
}

/** A run of a job that is played. */
export interface PlayedRun extends Waiter {
  readonly lane: Lane;
  readonly fireTime: number;
  state: 'queued' | 'waiting' | 'running' | 'over';
  since: number;
  /** The pools of which it found too little. */
  lacked: readonly PoolMeter[];
}

/** What became of a job's fires. */
export interface Tally {
  started: number;
  skipped: number;
  superseded: number;
  waitedTooLong: number;
  canceled: number;
  /** How many waited for a run of their own job, and the longest of these waits. */
  queued: number;
  longestQueuedMs: number;
  /** How many still do at the end. */
  backlog: number;
  /** The pools for which those runs waited, or had waited, that were in a fire's way, or that gave up. */
  behindPools: string[];
}

export function newTally(): Tally {
  return {
    ...{ started: 0, skipped: 0, superseded: 0, waitedTooLong: 0, canceled: 0 },
    ...{ queued: 0, longestQueuedMs: 0, backlog: 0, behindPools: [] },
  };
}

/** What a lane has the world do. */
export interface World {
  /** The run has its slot, and needs its pools. */
  enter(run: PlayedRun, now: number): void;
  /** The run is to end. */
  cancel(run: PlayedRun, now: number): void;
}

/** One job's slot, and the fires that wait for it. */
export class Lane {
  readonly entrant: Entrant;
  readonly tally = newTally();
  /** What each run takes of which pool. */
  readonly takes: readonly (readonly [PoolMeter, number])[];
  readonly #world: World;
  #owner: PlayedRun | null = null;
  readonly #queue: PlayedRun[] = [];

  constructor(entrant: Entrant, takes: Lane['takes'], world: World) {
    this.entrant = entrant;
    this.takes = takes;
    this.#world = world;
  }

  /** A fire is due, as a delivery finds it. */
  arrive(run: PlayedRun, now: number): void {
    const { job } = this.entrant;
    if (!takesSlot(job)) this.#world.enter(run, now);
    else if (this.#owner === null) this.#own(run, now);
    else this.#meet(run, this.#owner, now);
  }

  /** A run waits for pools, or had to: what it keeps others from is their doing. */
  blamePools({ lacked }: PlayedRun): void {
    const { behindPools } = this.tally;
    for (const { name } of lacked) if (!behindPools.includes(name)) behindPools.push(name);
  }

  /** A run is over, or gave up: whoever waits longest has the slot now. */
  leave(run: PlayedRun, now: number): void {
    run.state = 'over';
    const place = this.#queue.indexOf(run);
    if (place >= 0) {
      this.#queue.splice(place, 1);
      this.#waited(run, now);
    }
    if (this.#owner !== run) return;
    this.#owner = null;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#waited(next, now);
    this.#own(next, now);
  }

  close(until: number): void {
    for (const run of this.#queue) this.#waited(run, until);
    this.tally.backlog = this.#queue.length;
  }

  #own(run: PlayedRun, now: number): void {
    this.#owner = run;
    this.#world.enter(run, now);
  }

  #meet(run: PlayedRun, owner: PlayedRun, now: number): void {
    this.blamePools(owner);
    if (queues(this.entrant.job)) this.#line(run, owner, now);
    else {
      run.state = 'over';
      this.tally.skipped += 1;
    }
  }

  #line(run: PlayedRun, owner: PlayedRun, now: number): void {
    this.#queue.push(run);
    if (this.#queue.length > mostQueued(this.entrant.job)) {
      const oldest = this.#queue.shift();
      if (oldest !== undefined) oldest.state = 'over';
      this.tally.superseded += 1;
    }
    if (this.entrant.job.overlap === 'cancel-running') this.#world.cancel(owner, now);
  }

  #waited({ fireTime }: PlayedRun, now: number): void {
    this.tally.queued += 1;
    this.tally.longestQueuedMs = Math.max(this.tally.longestQueuedMs, now - fireTime);
  }
}
