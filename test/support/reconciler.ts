import {
  decideFinish,
  finishedOrLost,
  type Outcome,
  thoughOthersWait,
} from '../../functions/domain/finish.ts';
import type { Effect, Ledger } from '../../functions/domain/ledger.ts';
import type { Manifest, ManifestJob, RetryPolicy } from '../../functions/domain/manifest.ts';
import { runId } from '../../functions/domain/names.ts';
import type { Message } from '../../functions/domain/notices/message.ts';
import type { LogFields } from '../../functions/domain/ports.ts';
import { queuedRun } from '../../functions/domain/queue.ts';
import type { Run } from '../../functions/domain/run.ts';
import { decideStart, openingOf, takenOrLost, takeOffer } from '../../functions/domain/start.ts';
import { waitForPools } from '../../functions/domain/waiting.ts';
import { compileOnce } from '../../functions/reconciler/observe.ts';
import type { ReconcilerPorts, SweepCounts } from '../../functions/reconciler/ports.ts';
import { sweep } from '../../functions/reconciler/sweep.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { countedTokens } from './jobs.ts';

export type Offered = Pick<Run, 'jobId' | 'key' | 'token' | 'attempts'>;

/** The real reconciler on a memory ledger in virtual time; a test moves `now` and swaps `jobs`. */
export class World {
  now: number;
  jobs: readonly ManifestJob[];
  /** What is declared. */
  pools: NonNullable<Manifest['pools']> = {};
  readonly ledger: Ledger;
  readonly invoked: Offered[] = [];
  readonly nudges: { why: string; delaySeconds: number }[] = [];
  /** Runs of which another sweep is to tell. */
  readonly announced: string[] = [];
  /** What people were told. */
  readonly letters: Message[] = [];
  /** A test may have it fail. */
  notify = async (message: Message): Promise<void> => void this.letters.push(message);
  readonly problems: string[] = [];
  readonly reports: SweepCounts[] = [];
  /** How many alarms each batch of control messages told of that could not be delivered. */
  readonly undeliverable: number[] = [];
  /** Warnings, with what they tell. */
  readonly warnings: { message: string; fields: LogFields }[] = [];
  tzdata = '2025b';
  /** When the process was loaded that sweeps. Each sweep has one of its own, unless it is told. */
  loadedAt: number | null = null;
  readonly #ports: ReconcilerPorts;
  readonly #compiled = compileOnce();

  constructor(now: number, jobs: readonly ManifestJob[], ledger: Ledger = memoryLedger()) {
    this.now = now;
    this.jobs = jobs;
    this.ledger = ledger;
    const log = (message: string) => void this.problems.push(message);
    this.#ports = {
      ledger,
      clock: () => this.now,
      drawToken: countedTokens('r'),
      invoker: { invoke: async (offered) => void this.invoked.push(offered) },
      nudger: {
        nudge: async (why, delaySeconds = 0) => void this.nudges.push({ why, delaySeconds }),
        announce: async (ended) => void this.announced.push(runId(ended)),
      },
      notifier: { notify: (message) => this.notify(message) },
      stage: 'prod',
      log: {
        info: () => {},
        warn: (message, fields = {}) => void this.warnings.push({ message, fields }),
        error: log,
      },
      metrics: {
        report: async (counts) => void this.reports.push(counts),
        undeliverable: async (alarms) => void this.undeliverable.push(alarms),
      },
      sleep: async (ms) => {
        this.now += ms;
      },
      tzdata: this.tzdata,
      loadedAt: now,
    };
  }

  get ports(): ReconcilerPorts {
    return { ...this.#ports, tzdata: this.tzdata, loadedAt: this.loadedAt ?? this.now };
  }

  /** `remainingMs`: what is left of the invocation's time. */
  async sweep(remainingMs = 60_000): Promise<SweepCounts | null> {
    const manifest: Manifest = { version: 1, jobs: this.jobs, pools: this.pools };
    return sweep(this.ports, manifest, { compiled: this.#compiled, remainingMs: () => remainingMs });
  }

  /** Sweeps at an instant. */
  async sweepAt(now: number): Promise<SweepCounts | null> {
    this.now = now;
    return this.sweep();
  }

  /** All runs of a job, oldest first. */
  async runs(jobId = this.jobs[0]?.id ?? ''): Promise<Run[]> {
    const all: Run[] = [];
    for await (const run of this.ledger.history(jobId, { from: 0, to: Number.MAX_SAFE_INTEGER / 2 }))
      all.push(run);
    return all;
  }

  /** `12:00 waiting catch-up`, a line per run. */
  async lines(jobId?: string): Promise<string[]> {
    const runs = await this.runs(jobId);
    return runs.map((run) => [run.key.slice(11, 16), run.state, run.reason].filter(Boolean).join(' '));
  }
}

/** A delivery in time: the run of a fire, claimed as the runtime claims it. */
export async function deliver(
  world: World,
  job: ManifestJob,
  fireTime: number,
  token = `d${fireTime}`,
): Promise<Run> {
  const { claim, decision } = await claimed(world, job, { fireTime, token });
  if (decision.kind !== 'run') throw new Error(`the delivery did not start: ${decision.kind}`);
  return claim.run;
}

/** The attempt that owns a run succeeds. */
export function succeed(world: World, run: Run): Promise<'finished' | 'lost'> {
  return end(world, run, { kind: 'succeeded' });
}

/** The attempt that owns a run ends; `policy`: as its job tries again. Lost: somebody else has the run by now. */
export async function end(
  world: World,
  run: Run,
  outcome: Outcome,
  policy?: RetryPolicy,
): Promise<'finished' | 'lost'> {
  const { change, effect } = decideFinish(run, {
    ...{ outcome, attempt: run.attempts.length, now: world.now },
    retry: { policy, random: 0.5 },
  });
  const fence = { state: 'running', token: run.token } as const;
  const write = async (of: Effect) =>
    finishedOrLost(await world.ledger.move(run, fence, change, { effect: of }), run);
  const came = await write(effect);
  const then = came === 'others-wait' ? await write(thoughOthersWait(effect)) : came;
  if (then !== 'finished' && then !== 'lost') throw new Error(`the finish came to nothing: ${then}`);
  return then;
}

/** A delivery that finds the slot taken, of a job whose fires queue. */
export async function queue(world: World, job: ManifestJob, fireTime: number): Promise<Run> {
  const token = `q${fireTime}`;
  const { claim, decision, entry } = await claimed(world, job, { fireTime, token });
  if (decision.kind !== 'queue') throw new Error(`the delivery did not have to queue: ${decision.kind}`);
  const fire = { jobId: job.id, fireTime, specId: job.specId };
  const { run, effect } = queuedRun(fire, claim.effect, entry);
  await world.ledger.create(run, effect);
  return run;
}

/** A delivery that finds too little left of its pools, or others waiting for them. */
export async function wait(world: World, job: ManifestJob, fireTime: number): Promise<Run> {
  const token = `w${fireTime}`;
  const { claim, decision, entry } = await claimed(world, job, { fireTime, token });
  if (decision.kind !== 'wait') throw new Error(`the delivery did not have to wait: ${decision.kind}`);
  const { run, effect } = waitForPools(claim, entry);
  await world.ledger.create(run, effect);
  return run;
}

async function claimed(
  world: World,
  job: ManifestJob,
  { fireTime, token }: { fireTime: number; token: string },
) {
  const entry = { token, requestId: `request-${token}`, pid: 1, now: fireTime, remainingMs: job.timeoutMs };
  const claim = openingOf(job, fireTime, entry);
  const decision = decideStart(await world.ledger.create(claim.run, claim.effect), claim);
  return { claim, decision, entry };
}

/** The job's function takes an offer that the reconciler invoked it with. */
export async function take(world: World, offered: Offered, job: ManifestJob): Promise<Run> {
  const token = `taken-${offered.token}`;
  const entry = { token, requestId: `request-${token}`, pid: 1, now: world.now, remainingMs: job.timeoutMs };
  const { fence, change } = takeOffer({ token: offered.token, attempt: offered.attempts.length + 1 }, entry);
  const taken = takenOrLost(await world.ledger.move(offered, fence, change), token);
  if (taken === null || taken === 'conflict') throw new Error('the offer was gone');
  return taken;
}
