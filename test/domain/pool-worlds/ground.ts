import { patienceMs } from '../../../functions/domain/admission.ts';
import type { JobState } from '../../../functions/domain/job-state.ts';
import type { Answer } from '../../../functions/domain/ledger.ts';
import { fireKey, type RunRef, runId } from '../../../functions/domain/names.ts';
import type { PoolState } from '../../../functions/domain/pools.ts';
import { isOpen, type Run, waitsSince } from '../../../functions/domain/run.ts';
import type { Entry } from '../../../functions/domain/start.ts';
import { EventLoop } from '../../../functions/simulator/event-loop.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { Bound } from './bound.ts';
import { beginning, type Deploy, type Plan, type PlannedRun, type PooledJob } from './plan.ts';
import { checkAgreement, checkPool } from './rules.ts';

/** What a world rests on: virtual time, and the memory ledger, of which every write is checked. */
export class Ground {
  readonly plan: Plan;
  readonly bound: Bound;
  /** The pools, as they now are. */
  readonly pools = new Map<string, PoolState>();
  /** The runs that aren't over, by run id. */
  readonly open = new Map<string, Run>();
  readonly ledger = memoryLedger({
    run: (before, after) => this.#runWritten(before, after),
    pool: (before, after) => {
      checkPool(before, after);
      this.pools.set(after.name, after);
    },
  });
  /** How often something happened that the rules are about. */
  readonly tally = { recorded: 0, waited: 0, overdue: 0, takenOver: 0, canceled: 0, heldBack: 0 };
  readonly #planned: ReadonlyMap<string, PlannedRun>;
  #jobs = new Map<string, PooledJob>();
  #event: Promise<void> = Promise.resolve();
  readonly #loop = new EventLoop(beginning, () => this.#event);
  #tokens = 0;

  constructor(plan: Plan) {
    this.plan = plan;
    this.bound = new Bound(plan);
    this.#planned = new Map(plan.runs.map((run) => [runId(refOf(run)), run]));
  }

  get now(): number {
    return this.#loop.now;
  }

  /** One event at a time; after each the pools and the runs must agree. */
  at(instant: number, act: () => Promise<void> | void): void {
    this.#loop.at(instant, () => {
      this.#event = this.#act(act);
    });
  }

  async #act(act: () => Promise<void> | void): Promise<void> {
    await act();
    checkAgreement(this.pools.values(), [...this.open.values()]);
  }

  /** Lets time go by until all that is planned is over. */
  async run(until: number): Promise<void> {
    const isOver = () => this.tally.recorded === this.plan.runs.length && this.open.size === 0;
    await this.#loop.run(until, isOver);
    if (!isOver()) throw new Error(`Never over: ${[...this.open.keys()]}.`);
  }

  async deploy({ capacities, jobs }: Deploy): Promise<void> {
    this.#jobs = new Map(jobs.map((job) => [job.id, job]));
    for (const [name, capacity] of Object.entries(capacities)) {
      const replaces = this.pools.get(name)?.capacity ?? null;
      if (replaces !== capacity) await this.ledger.publishPool({ name, capacity }, replaces);
    }
  }

  entry({ durationMs }: PlannedRun): Entry {
    const token = this.token();
    return { token, requestId: token, pid: 1, now: this.now, remainingMs: durationMs };
  }

  token(): string {
    this.#tokens += 1;
    return `t${this.#tokens}`;
  }

  job(jobId: string): PooledJob {
    return known(this.#jobs.get(jobId), jobId);
  }

  plannedOf(ref: RunRef): PlannedRun {
    return known(this.#planned.get(runId(ref)), runId(ref));
  }

  async stateOf(jobId: string): Promise<JobState> {
    return known(await this.ledger.job(jobId), jobId);
  }

  #runWritten(before: Run | null, after: Run | null): void {
    if (after === null) throw new Error('Nobody deletes runs.');
    if (isOpen(after.state) && after.state !== 'parked') this.open.set(runId(after), after);
    else this.open.delete(runId(after));
    if (before === null) this.tally.recorded += 1;
    if (before !== null && isAtPools(before)) this.bound.check(after, this.now);
    else if (isAtPools(after)) this.#beginsToWait(after);
  }

  #beginsToWait(run: Run): void {
    this.tally.waited += 1;
    this.at(waitsSince(run) + patienceMs, () => {
      const now = this.open.get(runId(run));
      if (now === undefined || !isAtPools(now)) return;
      this.tally.overdue += 1;
      this.bound.becomesOverdue(run, [...this.open.values()].filter(isAtPools), this.now);
    });
  }
}

/** It waits for pools, and is counted there. */
export function isAtPools({ state, reason }: Run): boolean {
  return state === 'waiting' && reason === 'pool';
}

export function refOf({ jobId, at }: PlannedRun): RunRef {
  return { jobId, key: fireKey(at) };
}

export function expectDone(answer: Answer): void {
  if (answer.kind !== 'done') throw new Error(`Expected it to be done: ${JSON.stringify(answer)}.`);
}

function known<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`Nothing is known of ${what}.`);
  return value;
}
