import { setTimeout as delay } from 'node:timers/promises';
import { alarmPayload, killMarginMs, type NudgeMessage, offerPayload } from '../../functions/contract.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import type { Manifest, ManifestJob } from '../../functions/domain/manifest.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { minute, second, toIso } from '../../functions/domain/time.ts';
import { drawToken } from '../../functions/handlers/machine.ts';
import { defineJob, manual } from '../../functions/job.ts';
import { createQueue } from '../../functions/local/queue.ts';
import { handleReconcile } from '../../functions/reconciler/handle.ts';
import { compileOnce } from '../../functions/reconciler/observe.ts';
import { loadJob } from '../../functions/runtime/load.ts';
import type { Ports } from '../../functions/runtime/ports.ts';
import { handleEvent } from '../../functions/runtime/runtime.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { quiet, quietPorts } from './quiet-ports.ts';

const fireTime = at('03:00');
const pool = 'reports-db';

/** So many jobs, each of which is due at one instant and needs a unit of one pool, and the reconciler, in this process. */
export class PooledRuns {
  /** Messages to the reconciler, and the offers' invocations. */
  messages = 0;
  readonly #manifest: Manifest;
  readonly #ledger: Ledger;
  readonly #work: (n: number) => Promise<void>;
  readonly #quiet: Ports;
  readonly #compiled = compileOnce();
  #succeeded = 0;
  #failure: unknown;
  /** Before the fires; then as time goes by. */
  #clock = () => fireTime - 10 * minute;
  readonly #queue = createQueue({ name: 'control', consume: (event) => this.#reconcile(event) });

  constructor(
    ledger: Ledger,
    { runs, capacity }: { runs: number; capacity: number },
    work: (n: number) => Promise<void>,
  ) {
    this.#ledger = ledger;
    this.#quiet = quietPorts(ledger, () => this.#clock());
    this.#work = work;
    const job = (n: number) =>
      manifestJob({ id: `reports/report-${n}`, schedule: cron('0 3 * * *'), pools: { [pool]: 1 } });
    this.#manifest = {
      version: 1,
      jobs: Array.from({ length: runs }, (_, n) => job(n)),
      pools: { [pool]: { capacity, describe: 'IO of the reporting database' } },
    };
  }

  /** Puts the jobs and the pool in force. */
  async deploy(): Promise<void> {
    await this.#reconcile({});
    const began = performance.now();
    this.#clock = () => Math.floor(fireTime + 2 * second + performance.now() - began);
  }

  /** The alarm of the n-th job. Resolves when its function has answered, which may be before the job ran. */
  async deliver(n: number): Promise<void> {
    const job = this.#job(n);
    await this.#handle(job, { ...alarmPayload(job.id), scheduledTime: toIso(fireTime) });
  }

  /** Resolves when each job has run, and the reconciler has nothing more to look at. Rejects when one came to anything else. */
  async end(): Promise<void> {
    while (this.#succeeded < this.#manifest.jobs.length || this.#queue.size > 0) {
      if (this.#failure !== undefined) throw this.#failure;
      await delay(20);
    }
    this.#queue.close();
  }

  #job(n: number): ManifestJob {
    const job = this.#manifest.jobs[n];
    if (job === undefined) throw new Error(`There is no job ${n}.`);
    return job;
  }

  async #handle(entry: ManifestJob, event: unknown): Promise<void> {
    const n = this.#manifest.jobs.indexOf(entry);
    const job = defineJob({
      ...{ description: entry.description, schedule: manual(), missed: 'skip', crashed: 'park' },
      run: () => this.#work(n),
    });
    const remainingMs = () => entry.timeoutMs + killMarginMs;
    const invocation = { requestId: drawToken(), remainingMs };
    const { outcome } = await handleEvent(event, invocation, loadJob(entry, job), this.#ports);
    if (outcome !== 'succeeded' && outcome !== 'waiting')
      throw new Error(`The run of ${entry.id} came to "${outcome}".`);
    if (outcome === 'succeeded') this.#succeeded += 1;
  }

  readonly #nudger = {
    nudge: async (why: string, delaySeconds = 0) => {
      this.messages += 1;
      const message: NudgeMessage = { fireledger: 'nudge', why };
      this.#queue.send(JSON.stringify(message), {}, delaySeconds * second);
    },
    announce: async () => {},
  };

  get #ports(): Ports {
    return { ...this.#quiet, nudger: this.#nudger };
  }

  #reconcile(event: unknown) {
    return handleReconcile(event, this.#manifest, {
      compiled: this.#compiled,
      remainingMs: () => minute,
      ports: {
        ledger: this.#ledger,
        clock: () => this.#clock(),
        sleep: (ms) => delay(ms),
        drawToken,
        invoker: {
          invoke: async (offered) => {
            this.messages += 1;
            const job = this.#manifest.jobs.find(({ id }) => id === offered.jobId);
            if (job === undefined) throw new Error(`There is no job ${offered.jobId}.`);
            this.#handle(job, offerPayload(offered)).catch((error) => {
              this.#failure = error;
            });
          },
        },
        nudger: this.#nudger,
        log: quiet,
        metrics: { report: async () => {}, undeliverable: async () => {} },
        notifier: { notify: async () => undefined },
        stage: 'bench',
        loadedAt: 0,
        tzdata: 'of the bench',
      },
    });
  }
}
