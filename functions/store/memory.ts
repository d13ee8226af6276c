import type { Action, ActionRange } from '../domain/action.ts';
import type { ClosedDay, DayFence, DayRecord, DayRef } from '../domain/closed-days/index.ts';
import type { LastWrite } from '../domain/finish.ts';
import type { JobState, SpecVersion } from '../domain/job-state.ts';
import type {
  Answer,
  Effect,
  Fence,
  HistoryRange,
  Ledger,
  OpenRef,
  PauseOptions,
  ReconcilerState,
  RunChange,
  ZoneTable,
} from '../domain/ledger.ts';
import type { PublishedManifest } from '../domain/manifest.ts';
import { type RunRef, runId } from '../domain/names.ts';
import type { PoolState, PublishedPool } from '../domain/pools.ts';
import type { Run, Suspicion } from '../domain/run.ts';
import type { StepAnswer, StepRecord, StepWrite } from '../domain/steps.ts';
import { copied } from './copied.ts';
import { affectedJob, affectedPool, movedRun, passedDay } from './memory-changes.ts';
import { type DayWatch, MemoryDays } from './memory-days.ts';
import { MemorySteps, type StepWatch } from './memory-steps.ts';
import { MemoryTables, type TableKeys, type TableWatch } from './memory-tables.ts';
import { isInForce } from './published.ts';

/** Told of each write, as it happens; null: there was, or is, no such record. */
export interface MemoryWatch {
  readonly run?: (before: Run | null, after: Run | null) => void;
  readonly job?: (before: JobState | null, after: JobState) => void;
  readonly pool?: (before: PoolState | null, after: PoolState) => void;
  readonly step?: StepWatch;
  readonly day?: DayWatch;
  readonly item?: TableWatch;
}

/** The ledger in memory, for tests and the simulator: the same conditions, each call one step that nothing interrupts. */
export function memoryLedger(watch: MemoryWatch = {}, tableKeys: TableKeys = {}): MemoryLedger {
  return new MemoryLedger(watch, tableKeys);
}

export class MemoryLedger implements Ledger {
  readonly #watch: MemoryWatch;
  /** By job, then by key. */
  readonly #runs = new Map<string, Map<string, Run>>();
  /** The runs that have an instant of attention, by run id. */
  readonly #open = new Map<string, Run & { readonly attentionAt: number }>();
  readonly #jobs = new Map<string, JobState>();
  readonly #pools = new Map<string, PoolState>();
  readonly #specs = new Map<string, SpecVersion[]>();
  readonly #actions: Action[] = [];
  readonly #steps: MemorySteps;
  readonly #days: MemoryDays;
  /** What authors write in their commits. */
  readonly tables: MemoryTables;
  #manifest: PublishedManifest | null = null;
  #zones: ZoneTable | null = null;
  #reconciler: ReconcilerState = {};
  #lease: { readonly token: string; readonly until: number } | null = null;

  constructor(watch: MemoryWatch, tableKeys: TableKeys) {
    this.#watch = watch;
    this.tables = new MemoryTables(tableKeys, watch.item);
    this.#steps = new MemorySteps(this.tables, watch.step);
    this.#days = new MemoryDays(watch.day);
  }

  async create(run: Run, effect?: Effect): Promise<Answer> {
    return this.#write(run, (standing) => (standing === null ? run : null), effect);
  }

  async move(
    ref: RunRef,
    fence: Fence,
    change: RunChange,
    { effect }: { effect?: Effect; requestToken?: string } = {},
  ): Promise<Answer> {
    const step = (run: Run | null) => (run !== null && holds(fence, run) ? movedRun(run, change) : null);
    return this.#write(ref, step, effect);
  }

  /** All parts of a transaction, or none; `step` gives the run's next record, or null when its condition fails. */
  #write(ref: RunRef, step: (standing: Run | null) => Run | null, effect: Effect | undefined): Answer {
    const run = this.#run(ref);
    const nextRun = step(run);
    const { refusal, nextJob, nextPools } = this.#affected(ref, effect);
    if (nextRun === null) return { kind: 'refused', run, ...refusal };
    if (refusal !== null) return { kind: 'refused', ...refusal };
    if (effect?.reopens !== undefined) this.#days.reopen(ref.jobId, effect.reopens);
    const written = this.#put(nextRun);
    if (nextJob) this.#putJob(nextJob);
    for (const pool of nextPools) this.#putPool(pool);
    if (effect?.action !== undefined) this.#actions.push(copied(effect.action));
    return effect === undefined && run !== null ? { kind: 'done', run: written } : { kind: 'done' };
  }

  /** What an effect comes to. `refusal`: the job, and those of its pools, whose conditions fail. */
  #affected(ref: RunRef, effect: Effect | undefined) {
    if (effect === undefined) return { refusal: null, nextJob: null, nextPools: [] };
    const job = this.#jobs.get(ref.jobId) ?? null;
    const nextJob = affectedJob(job, ref.key, effect);
    const pools = (effect.pools ?? []).map((one) => {
      const pool = this.#pools.get(one.pool) ?? null;
      return { name: one.pool, pool, next: affectedPool(pool, runId(ref), one) };
    });
    const nextPools = pools.flatMap(({ next }) => next ?? []);
    const inTheWay = pools.filter(({ next }) => next === null).map(({ name, pool }) => [name, pool] as const);
    const refusal = {
      ...(nextJob === null ? { job } : {}),
      ...(inTheWay.length > 0 ? { pools: Object.fromEntries(inTheWay) } : {}),
    };
    return { refusal: Object.keys(refusal).length > 0 ? refusal : null, nextJob, nextPools };
  }

  async steps(ref: RunRef): Promise<StepRecord[]> {
    return this.#steps.of(ref);
  }

  async writeStep(ref: RunRef, fence: Fence, write: StepWrite): Promise<StepAnswer> {
    const run = this.#run(ref);
    const isFenced = run === null || !holds(fence, run);
    const { refusal, put } = this.#steps.try(ref, write);
    const { refusal: refusedEffect } = this.#affected(ref, write.last?.effect);
    if (isFenced || refusal !== null || refusedEffect !== null)
      return { kind: 'refused', ...(isFenced ? { run } : {}), ...refusedEffect, ...refusal };
    put();
    if (write.last !== undefined) this.#move(run, write.last);
    return { kind: 'done' };
  }

  #move(run: Run, { change, effect }: LastWrite): void {
    this.#write(run, () => movedRun(run, change), effect);
  }

  async countDuplicate(ref: RunRef): Promise<void> {
    const run = this.#run(ref);
    if (run !== null) this.#put({ ...run, duplicates: run.duplicates + 1 });
  }

  async countStray(jobId: string, refusedFire?: number): Promise<void> {
    const job = this.#jobs.get(jobId);
    const refused = refusedFire === undefined ? {} : { refusedFire };
    if (job !== undefined) this.#putJob({ ...job, ...refused, strays: job.strays + 1 });
  }

  async suspect(ref: RunRef, suspicion: Suspicion): Promise<boolean> {
    const run = this.#run(ref);
    const attempt = run?.attempts.at(-1);
    if (run === null || attempt?.requestId !== suspicion.requestId) return false;
    if (!holds({ state: 'running', token: attempt.token }, run)) return false;
    this.#put({ ...run, suspected: suspicion });
    return true;
  }

  async run(ref: RunRef): Promise<Run | null> {
    return this.#run(ref);
  }

  async runs(refs: readonly RunRef[]): Promise<Run[]> {
    const distinct = new Map(refs.map((ref) => [runId(ref), ref]));
    return [...distinct.values()].flatMap((ref) => this.#run(ref) ?? []);
  }

  async *history(
    jobId: string,
    { from, to, order, limit = Number.POSITIVE_INFINITY }: HistoryRange,
  ): AsyncGenerator<Run> {
    const within = [...(this.#runs.get(jobId)?.values() ?? [])]
      .filter(({ fireTime }) => from <= fireTime && fireTime <= to)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    if (order === 'newest-first') within.reverse();
    yield* within.slice(0, limit);
  }

  async open(until: number, limit: number, from = 0): Promise<OpenRef[]> {
    return [...this.#open.values()]
      .filter(({ attentionAt }) => from <= attentionAt && attentionAt <= until)
      .sort((a, b) => a.attentionAt - b.attentionAt)
      .slice(0, limit)
      .map(({ jobId, key, attentionAt }) => ({ jobId, key, attentionAt }));
  }

  async job(jobId: string): Promise<JobState | null> {
    return this.#jobs.get(jobId) ?? null;
  }

  async jobs(jobIds: readonly string[]): Promise<Map<string, JobState>> {
    const known = [...new Set(jobIds)].flatMap((jobId) => this.#jobs.get(jobId) ?? []);
    return new Map(known.map((job) => [job.jobId, job]));
  }

  async pools(names: readonly string[]): Promise<Map<string, PoolState>> {
    const known = [...new Set(names)].flatMap((name) => this.#pools.get(name) ?? []);
    return new Map(known.map((pool) => [pool.name, pool]));
  }

  async publishPool({ name, capacity }: PublishedPool, replaces: number | null): Promise<'done' | 'refused'> {
    const pool = this.#pools.get(name);
    if ((pool?.capacity ?? null) !== replaces) return pool?.capacity === capacity ? 'done' : 'refused';
    const { free, ...others } = pool ?? { name, capacity: 0, free: 0, waiting: 0, holds: {} };
    this.#putPool({ ...others, capacity, free: free + capacity - others.capacity });
    return 'done';
  }

  async specs(jobId: string): Promise<SpecVersion[]> {
    return this.#specs.get(jobId) ?? [];
  }

  async publish(version: SpecVersion, replaces: string | null): Promise<'done' | 'refused'> {
    const { jobId, from, spec, specId } = version;
    const { specId: inForce = null, ...job } = this.#jobs.get(jobId) ?? newJob(jobId);
    if (inForce !== replaces) return isInForce(version, this.#jobs.get(jobId)) ? 'done' : 'refused';
    const others = (this.#specs.get(jobId) ?? []).filter((other) => other.from !== from);
    this.#specs.set(
      jobId,
      [...others, copied(version)].sort((a, b) => a.from - b.from),
    );
    const published = { ...job, specSince: from, specChanged: replaces !== null };
    this.#putJob(spec === null ? published : { ...published, specId });
    return 'done';
  }

  async setPause(
    jobId: string,
    pause: JobState['paused'] | null,
    { require, action }: PauseOptions = {},
  ): Promise<boolean> {
    const job = this.#jobs.get(jobId);
    if (job === undefined || (require !== undefined && !mayPause(job, require))) return false;
    if (action !== undefined) this.#actions.push(copied(action));
    const { paused: _before, ...unpaused } = job;
    this.#putJob(pause ? { ...unpaused, paused: pause } : { ...unpaused, failuresInARow: 0 });
    return true;
  }

  async log(action: Action): Promise<void> {
    this.#actions.push(copied(action));
  }

  async *actions({ from, to, limit = Number.POSITIVE_INFINITY }: ActionRange): AsyncGenerator<Action> {
    const within = this.#actions.filter(({ at }) => from <= at && at <= to);
    yield* within.sort((a, b) => b.at - a.at).slice(0, limit);
  }

  async *closedDays(jobId: string, range: { from: number; to: number }): AsyncGenerator<ClosedDay> {
    yield* this.#days.closed(jobId, range);
  }

  async dayRecord(ref: DayRef): Promise<DayRecord | null> {
    return this.#days.get(ref);
  }

  async closeDay(closed: ClosedDay, fence: DayFence): Promise<'done' | 'refused'> {
    if (!this.#passDay(closed, fence, 'unlisted')) return 'refused';
    this.#days.close(closed);
    return 'done';
  }

  async leaveDay(
    ref: DayRef,
    fence: DayFence,
    where: 'among-open' | 'unlisted',
  ): Promise<'done' | 'refused'> {
    return this.#passDay(ref, fence, where) ? 'done' : 'refused';
  }

  #passDay(ref: DayRef, fence: DayFence, where: 'among-open' | 'unlisted'): boolean {
    const job = this.#jobs.get(ref.jobId);
    const next = job === undefined ? null : passedDay(job, ref.day, { fence, where });
    if (next === null || !isAsRead(this.#days.get(ref), fence)) return false;
    this.#putJob(next);
    return true;
  }

  async manifest(): Promise<PublishedManifest | null> {
    return this.#manifest;
  }

  async saveManifest(manifest: PublishedManifest): Promise<void> {
    this.#manifest = copied(manifest);
  }

  async zones(): Promise<ZoneTable | null> {
    return this.#zones;
  }

  async saveZones(table: ZoneTable): Promise<void> {
    this.#zones = copied(table);
  }

  async acquire(token: string, now: number, until: number): Promise<ReconcilerState | null> {
    const lease = this.#lease;
    if (lease !== null && lease.token !== token && lease.until > now) return null;
    this.#lease = { token, until };
    return this.#reconciler;
  }

  async save(token: string, state: ReconcilerState): Promise<boolean> {
    if (this.#lease?.token !== token) return false;
    this.#reconciler = copied(state);
    return true;
  }

  async releaseLease(token: string): Promise<void> {
    if (this.#lease?.token === token) this.#lease = null;
  }

  /** The record as it is, at once. Not of the port. */
  peek(ref: RunRef): Run | null {
    return this.#run(ref);
  }

  /** What retention does to a record, some day. Not of the port: nobody deletes. */
  expire(ref: RunRef): void {
    const before = this.#run(ref);
    if (before === null) return;
    this.#runs.get(ref.jobId)?.delete(ref.key);
    this.#open.delete(runId(ref));
    this.#watch.run?.(before, null);
  }

  #run({ jobId, key }: RunRef): Run | null {
    return this.#runs.get(jobId)?.get(key) ?? null;
  }

  #put(record: Run): Run {
    const run = copied(record);
    const ofJob = this.#runs.get(run.jobId) ?? new Map<string, Run>();
    const before = ofJob.get(run.key) ?? null;
    this.#runs.set(run.jobId, ofJob.set(run.key, run));
    const { attentionAt } = run;
    if (attentionAt === undefined) this.#open.delete(runId(run));
    else this.#open.set(runId(run), { ...run, attentionAt });
    this.#watch.run?.(before, run);
    return run;
  }

  #putJob(state: JobState): void {
    const job = copied(state);
    const before = this.#jobs.get(job.jobId) ?? null;
    this.#jobs.set(job.jobId, job);
    this.#watch.job?.(before, job);
  }

  #putPool(state: PoolState): void {
    const pool = copied(state);
    const before = this.#pools.get(pool.name) ?? null;
    this.#pools.set(pool.name, pool);
    this.#watch.pool?.(before, pool);
  }
}

function holds({ state, token, unasked }: Fence, run: Run): boolean {
  if (unasked && run.cancelRequested !== undefined) return false;
  return run.state === state && run.token === token;
}

function isAsRead(record: DayRecord | null, { replaces }: DayFence): boolean {
  return record === null ? replaces === null : replaces !== null && record.reopened === replaces;
}

function mayPause(job: JobState, require: NonNullable<PauseOptions['require']>): boolean {
  if ('pausedAt' in require) return job.paused?.at === require.pausedAt;
  return job.paused === undefined && job.failuresInARow >= require.failuresInARow;
}

function newJob(jobId: string): JobState {
  return {
    jobId,
    specSince: 0,
    specChanged: false,
    queued: 0,
    catchUp: { waiting: 0, minute: 0, admitted: 0 },
    failuresInARow: 0,
    strays: 0,
  };
}
