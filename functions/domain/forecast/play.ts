import { type Standing, standings } from '../admission.ts';
import { needsOf } from '../holds.ts';
import { second } from '../time.ts';
import { Agenda } from './agenda.ts';
import { Arrivals } from './arrivals.ts';
import type { Range } from './fires.ts';
import { type Entrant, Lane, type PlayedRun, type Tally, type World } from './lane.ts';
import { PoolMeter } from './pool-meter.ts';

/** How long a run takes to see that it is to end, and to end. */
const cancelMs = 10 * second;

/** What came of playing a range. */
export interface Played {
  readonly pools: readonly PoolMeter[];
  /** In the order of the entrants. */
  readonly tallies: readonly Tally[];
  /** How many runs waited for pools, and all that they waited. */
  readonly waits: number;
  readonly waitMs: number;
  readonly longestWaitMs: number;
  /** Fires that came to nothing. */
  readonly lost: number;
  /** Before the end of the range, when there were more steps than may be taken. */
  readonly until: number;
  /** Instants, and waiters that were looked at. */
  readonly steps: number;
}

/**
 * Plays a range: each run takes as long as its job is expected to, and goes by the rules that hold in earnest: its job's
 * slot, then admission. What runs when the range begins isn't known, nor what fails, is retried or made up.
 */
export function play(
  entrants: readonly Entrant[],
  capacities: ReadonlyMap<string, number>,
  { from, to, mostSteps = Number.POSITIVE_INFINITY }: Range & { readonly mostSteps?: number },
): Played {
  return new Play(entrants, capacities, { from, to }).until(to, mostSteps);
}

/** `cut`: it has seen that it is to end. */
type Timer = { readonly kind: 'end' | 'cut' | 'give-up'; readonly run: PlayedRun };

class Play implements World {
  readonly #lanes: readonly Lane[];
  readonly #meters: ReadonlyMap<string, PoolMeter>;
  readonly #arrivals: Arrivals;
  readonly #agenda = new Agenda<Timer>();
  #waiting: PlayedRun[] = [];
  #steps = 0;
  #waits = 0;
  #waitMs = 0;
  #longestWaitMs = 0;

  constructor(entrants: readonly Entrant[], capacities: ReadonlyMap<string, number>, range: Range) {
    this.#meters = new Map(
      [...capacities].map(([name, capacity]) => [name, new PoolMeter(name, capacity, range)]),
    );
    this.#lanes = entrants.map((entrant) => new Lane(entrant, this.#takesOf(entrant), this));
    this.#arrivals = new Arrivals(
      entrants.map(({ fires }) => fires),
      range.from,
    );
  }

  until(to: number, mostSteps: number): Played {
    let now = this.#next();
    for (; now < to && this.#steps < mostSteps; now = this.#next()) this.#step(now);
    return this.#close(Math.min(now, to));
  }

  enter(run: PlayedRun, now: number): void {
    const { lane } = run;
    run.state = 'waiting';
    run.since = now;
    for (const [meter, weight] of lane.takes) meter.need(lane.entrant.job.id, weight, now);
    this.#waiting.push(run);
  }

  cancel(run: PlayedRun, now: number): void {
    if (run.state === 'running') {
      this.#agenda.note(now + cancelMs, { kind: 'cut', run });
      return;
    }
    run.lane.tally.canceled += 1;
    this.#giveUp(run, now);
  }

  #takesOf({ job }: Entrant): Lane['takes'] {
    return Object.entries(needsOf(job) ?? {}).flatMap(([name, weight]) => {
      const meter = this.#meters.get(name);
      return meter === undefined ? [] : [[meter, weight] as const];
    });
  }

  #next(): number {
    return Math.min(this.#arrivals.next(), this.#agenda.next());
  }

  /** What ends gives back before what is due takes; then those who wait are admitted. */
  #step(now: number): void {
    this.#steps += 1;
    for (const timer of this.#agenda.dueAt(now)) this.#ring(timer, now);
    for (const place of this.#arrivals.dueAt(now)) {
      const lane = this.#lanes[place];
      if (lane !== undefined) this.#fire(lane, now);
    }
    this.#admit(now);
    for (const meter of this.#meters.values()) meter.settle(now);
  }

  #ring({ kind, run }: Timer, now: number): void {
    const { tally } = run.lane;
    if (run.state === 'over' || (kind === 'give-up') === (run.state === 'running')) return;
    if (kind === 'give-up') {
      tally.waitedTooLong += 1;
      run.lane.blamePools(run);
      this.#giveUp(run, now);
    } else {
      if (kind === 'cut') tally.canceled += 1;
      this.#end(run, now);
    }
  }

  #fire(lane: Lane, now: number): void {
    this.#steps += 1;
    const { job } = lane.entrant;
    const run: PlayedRun = {
      id: `${job.id}#${now}`,
      needs: job.pools ?? {},
      priority: job.priority ?? 0,
      since: now,
      lane,
      fireTime: now,
      state: 'queued',
      lacked: [],
    };
    lane.arrive(run, now);
    if (job.maxWaitMs !== undefined) this.#agenda.note(now + job.maxWaitMs, { kind: 'give-up', run });
  }

  /** Where there is enough for all, all are admitted, in whatever order. */
  #admit(now: number): void {
    const entering = this.#waiting;
    if (entering.length === 0) return;
    if ([...this.#meters.values()].every((meter) => meter.suffices)) {
      this.#waiting = [];
      for (const run of entering) this.#start(run, now);
      return;
    }
    this.#steps += entering.length;
    const found = standings(this.#meters, entering, now);
    for (const { waiter, admitted } of found) if (admitted) this.#start(waiter, now);
    const left = found.filter(({ admitted }) => !admitted);
    this.#waiting = left.map(({ waiter }) => waiter);
    this.#noteLacks(left);
  }

  /** Those who stay know now of whom they have to wait: those who have it, or else who keeps it from them. */
  #noteLacks(left: readonly Standing<PlayedRun>[]): void {
    const reserving = new Set<string>();
    for (const { waiter, lacks, reserves } of left) {
      const { entrant, takes } = waiter.lane;
      for (const [meter] of takes) {
        if (!lacks.includes(meter.name) || waiter.lacked.includes(meter)) continue;
        waiter.lacked = [...waiter.lacked, meter];
        const behind = meter.isHeld ? [...meter.holders()] : [...reserving];
        meter.beganToWait(entrant.job.id, behind);
        this.#steps += behind.length;
      }
      if (reserves) reserving.add(entrant.job.id);
    }
  }

  #start(run: PlayedRun, now: number): void {
    const { entrant, tally, takes } = run.lane;
    run.state = 'running';
    tally.started += 1;
    this.#noteWait(run, now);
    for (const [meter, weight] of takes) meter.take(entrant.job.id, weight, now);
    this.#agenda.note(now + entrant.durationMs, { kind: 'end', run });
  }

  #end(run: PlayedRun, now: number): void {
    const { entrant, takes } = run.lane;
    for (const [meter, weight] of takes) meter.giveBack(entrant.job.id, weight, now);
    run.lane.leave(run, now);
  }

  /** A run that waits, for its slot or its pools, waits no longer and never runs. */
  #giveUp(run: PlayedRun, now: number): void {
    const { entrant, takes } = run.lane;
    if (run.state === 'waiting') {
      this.#waiting = this.#waiting.filter((other) => other !== run);
      this.#noteWait(run, now);
      for (const [meter, weight] of takes) meter.leave(entrant.job.id, weight, now);
    }
    run.lane.leave(run, now);
  }

  #noteWait({ lane, since, lacked }: PlayedRun, now: number): void {
    if (now === since) return;
    this.#waits += 1;
    this.#waitMs += now - since;
    this.#longestWaitMs = Math.max(this.#longestWaitMs, now - since);
    for (const meter of lacked) meter.waited(lane.entrant.job.id, now - since);
  }

  #close(until: number): Played {
    for (const run of this.#waiting) this.#noteWait(run, until);
    for (const lane of this.#lanes) lane.close(until);
    for (const meter of this.#meters.values()) meter.close(until);
    const tallies = this.#lanes.map(({ tally }) => tally);
    return {
      pools: [...this.#meters.values()],
      tallies,
      waits: this.#waits,
      waitMs: this.#waitMs,
      longestWaitMs: this.#longestWaitMs,
      lost: tallies.reduce((sum, of) => sum + of.skipped + of.superseded + of.waitedTooLong, 0),
      until,
      steps: this.#steps,
    };
  }
}
