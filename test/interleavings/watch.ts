import type { JobState } from '../../functions/domain/job-state.ts';
import type { Effect, Ledger } from '../../functions/domain/ledger.ts';
import type { Manifest } from '../../functions/domain/manifest.ts';
import { type RunRef, runId } from '../../functions/domain/names.ts';
import type { PoolState } from '../../functions/domain/pools.ts';
import type { Run } from '../../functions/domain/run.ts';
import { brokenPool, brokenTake } from '../support/pool-rules.ts';
import { Bodies } from './bodies.ts';
import { brokenBeside, brokenByChange, brokenClaim, brokenStart } from './record-rules.ts';

/** What a write left; null: it touches none such. */
interface Written {
  readonly run?: Run | null;
  readonly job?: JobState | null;
  readonly pools?: readonly PoolState[];
  /** By a person who pauses or resumes the job. */
  readonly isPause?: boolean;
}

/** Sees every write as it happens, and notes what breaks a promise. */
export class Watch {
  readonly broken: string[] = [];
  /** What happened at all: `running → parked`, `skipped: overlap`, and what invocations came to. */
  readonly met = new Set<string>();
  readonly runs = new Map<string, Run>();
  readonly bodies: Bodies;
  readonly #jobs = new Map<string, JobState>();
  readonly #pools = new Map<string, PoolState>();
  readonly #reruns = new Map<string, number>();
  readonly #latest: ReadonlySet<string>;
  /** Milliseconds, by job. */
  readonly #graces: ReadonlyMap<string, number>;

  constructor(deploys: readonly Manifest[]) {
    const jobs = deploys.flatMap((manifest) => manifest.jobs);
    this.bodies = new Bodies(this, { jobs, capacities: greatestCapacities(deploys) });
    this.#latest = new Set(jobs.filter((job) => job.missed.policy === 'latest').map((job) => job.id));
    this.#graces = new Map(jobs.map((job) => [job.id, job.graceMs]));
  }

  runsOf(jobId: string): Run[] {
    return [...this.runs.values()].filter((run) => run.jobId === jobId);
  }

  /** How often a person had it run again. */
  rerunsOf(id: string): number {
    return this.#reruns.get(id) ?? 0;
  }

  /** A write has just been carried out. */
  saw({ run = null, job = null, pools = [], isPause = false }: Written): void {
    const before = {
      run: (run && this.runs.get(runId(run))) ?? null,
      job: job === null ? undefined : this.#jobs.get(job.jobId),
      pools: new Map(this.#pools),
    };
    for (const pool of pools) this.#pools.set(pool.name, pool);
    if (run !== null) this.#sawRun(run, before);
    if (job !== null) this.#sawJob(job, isPause ? undefined : before.job);
    this.#sawPools(run, before);
  }

  #sawRun(run: Run, { run: before, job }: { run: Run | null; job: JobState | undefined }): void {
    this.runs.set(runId(run), run);
    this.broken.push(...brokenByChange(before, run), ...brokenStart(before, run, job));
    this.broken.push(...brokenClaim(before, run, this.#graces.get(run.jobId) ?? 0));
    this.#meet(before, run);
    if (before?.state === 'parked' && run.state === 'waiting')
      this.#reruns.set(runId(run), this.rerunsOf(runId(run)) + 1);
    this.bodies.saw(run);
    run.attempts.forEach((attempt, index) => {
      if (attempt.outcome !== undefined && before?.attempts[index]?.outcome === undefined)
        this.bodies.sawEnd(attempt, runId(run));
    });
  }

  #sawJob(job: JobState, before: JobState | undefined): void {
    this.#jobs.set(job.jobId, job);
    this.broken.push(...brokenBeside(job, this.runsOf(job.jobId), before));
    if (this.#latest.has(job.jobId) && job.catchUp.waiting > 1)
      this.broken.push(`${job.catchUp.waiting} runs of ${job.jobId} wait, of which one stands for all`);
  }

  #sawPools(run: Run | null, before: { run: Run | null; pools: ReadonlyMap<string, PoolState> }): void {
    const runs = [...this.runs.values()];
    for (const pool of this.#pools.values()) {
      this.broken.push(...brokenPool(pool, runs));
      const was = before.pools.get(pool.name);
      if (run !== null && was !== undefined)
        this.broken.push(...brokenTake(pool, { before: { run: before.run, pool: was }, run }));
    }
  }

  #meet(before: Run | null, { state, reason, token, timedOutAt, cancelRequested }: Run): void {
    if (before?.token !== token || before.state !== state || before.timedOutAt !== timedOutAt)
      this.met.add(`${before?.state ?? 'absent'} → ${state}`);
    if (reason !== undefined) this.met.add(`${state}: ${reason}`);
    if (cancelRequested !== undefined) this.met.add(`${state}, asked to end: ${cancelRequested.reason}`);
  }
}

function greatestCapacities(deploys: readonly Manifest[]): Map<string, number> {
  const greatest = new Map<string, number>();
  for (const { pools = {} } of deploys)
    for (const [name, { capacity }] of Object.entries(pools))
      greatest.set(name, Math.max(capacity, greatest.get(name) ?? 0));
  return greatest;
}

/** The ledger, every write of which is shown to a watch as it is carried out. */
export function watchedLedger(ledger: Ledger, watch: Watch): Ledger {
  const see = async (
    jobId: string,
    ref: RunRef | null,
    { effect, isPause = false }: { effect?: Effect | undefined; isPause?: boolean } = {},
  ) => {
    const run = ref && (await ledger.run(ref));
    const pools = await poolsNow(ledger, effect?.pools?.map(({ pool }) => pool) ?? []);
    watch.saw({ run, job: await ledger.job(jobId), pools, isPause });
  };
  const seePool = async (name: string) => watch.saw({ pools: await poolsNow(ledger, [name]) });
  const shown: Partial<Ledger> = {
    create: async (run, effect) => seen(await ledger.create(run, effect), see(run.jobId, run, { effect })),
    move: async (ref, fence, change, options) =>
      seen(await ledger.move(ref, fence, change, options), see(ref.jobId, ref, { effect: options?.effect })),
    countDuplicate: async (ref) => seen(await ledger.countDuplicate(ref), see(ref.jobId, ref)),
    countStray: async (jobId, fire) => seen(await ledger.countStray(jobId, fire), see(jobId, null)),
    suspect: async (ref, suspicion) => seen(await ledger.suspect(ref, suspicion), see(ref.jobId, ref)),
    publish: async (version, replaces) =>
      seen(await ledger.publish(version, replaces), see(version.jobId, null)),
    publishPool: async (pool, replaces) => seen(await ledger.publishPool(pool, replaces), seePool(pool.name)),
    setPause: async (jobId, pause, require) =>
      seen(await ledger.setPause(jobId, pause, require), see(jobId, null, { isPause: true })),
  };
  return new Proxy(ledger, {
    get: (target, verb: keyof Ledger) => shown[verb] ?? target[verb].bind(target),
  });
}

async function poolsNow(ledger: Ledger, names: readonly string[]): Promise<PoolState[]> {
  return names.length === 0 ? [] : [...(await ledger.pools(names)).values()];
}

async function seen<T>(answer: T, seeing: Promise<void>): Promise<T> {
  await seeing;
  return answer;
}
