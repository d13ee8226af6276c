import { alarmPayload, offerPayload } from '../../functions/contract.ts';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { runId } from '../../functions/domain/names.ts';
import { toIso } from '../../functions/domain/time.ts';
import { defineJob, manual } from '../../functions/job.ts';
import { loadJob } from '../../functions/runtime/load.ts';
import { type Handled, handleEvent } from '../../functions/runtime/runtime.ts';
import { recordedPorts } from '../../functions/testing/recorded-ports.ts';
import { VirtualTime } from '../../functions/testing/virtual-time.ts';
import { World } from './reconciler.ts';

/** One start of a job's code: for which run, when, and by which version of the schedule its function was deployed with. */
export interface Started {
  readonly run: string;
  readonly at: number;
  readonly specId: string;
}

/** The reconciler's stack and the jobs' stack, deployed at different moments: the real sweep and the real runtime, in virtual time. */
export class Deployment {
  readonly world: World;
  /** The jobs' functions as they are deployed, by id. */
  functions = new Map<string, ManifestJob>();
  readonly started: Started[] = [];
  readonly #code: () => unknown;
  #offersTaken = 0;

  constructor(now: number, jobs: readonly ManifestJob[], code: () => unknown = () => undefined) {
    this.world = new World(now, jobs);
    this.deployFunctions(jobs);
    this.#code = code;
  }

  deployFunctions(jobs: readonly ManifestJob[]): void {
    this.functions = new Map(jobs.map((job) => [job.id, job]));
  }

  deployReconciler(jobs: readonly ManifestJob[]): void {
    this.world.jobs = jobs;
  }

  /** An alarm's delivery, now, to whatever version of the job's function is deployed. Null: there is none. */
  alarm(jobId: string, scheduledTime: number): Promise<Handled | null> {
    return this.#invoke(jobId, { ...alarmPayload(jobId), scheduledTime: toIso(scheduledTime) });
  }

  async alarmAt(jobId: string, scheduledTime: number, now = scheduledTime): Promise<Handled | null> {
    this.world.now = now;
    return this.alarm(jobId, scheduledTime);
  }

  /** Sweeps, and hands the offers that it made to their functions. */
  async sweepAt(now: number): Promise<void> {
    await this.world.sweepAt(now);
    const offers = this.world.invoked.slice(this.#offersTaken);
    this.#offersTaken += offers.length;
    for (const offered of offers) await this.#invoke(offered.jobId, offerPayload(offered));
  }

  async #invoke(jobId: string, event: unknown): Promise<Handled | null> {
    const entry = this.functions.get(jobId);
    if (entry === undefined) return null;
    const { ports } = recordedPorts(this.world.ledger, new VirtualTime(this.world.now));
    const job = defineJob({
      ...{ description: entry.description, schedule: manual(), missed: 'skip', crashed: 'park' },
      run: ({ id }) => {
        this.started.push({ run: id, at: this.world.now, specId: entry.specId });
        return this.#code();
      },
    });
    const invocation = {
      requestId: `request-${this.started.length}`,
      remainingMs: () => entry.timeoutMs + 30_000,
    };
    return handleEvent(event, invocation, loadJob(entry, job), { ...ports, clock: () => this.world.now });
  }
}

/** When the code for a fire was started. */
export function startsOf({ started }: Deployment, jobId: string, fireTime: number): number[] {
  const id = runId({ jobId, key: toIso(fireTime) });
  return started.filter(({ run }) => run === id).map(({ at }) => at);
}
