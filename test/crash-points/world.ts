import { alarmPayload, killMarginMs, offerPayload } from '../../functions/contract.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import type { Manifest, ManifestJob } from '../../functions/domain/manifest.ts';
import { fireKey } from '../../functions/domain/names.ts';
import type { Run } from '../../functions/domain/run.ts';
import { cron, timetable } from '../../functions/domain/schedule/index.ts';
import { minute, second, toIso } from '../../functions/domain/time.ts';
import type { Context } from '../../functions/job.ts';
import { compileOnce } from '../../functions/reconciler/observe.ts';
import { sweep } from '../../functions/reconciler/sweep.ts';
import { readingMeter } from '../../functions/runtime/bill.ts';
import type { LoadedJob } from '../../functions/runtime/ports.ts';
import { handleEvent } from '../../functions/runtime/runtime.ts';
import { EventLoop } from '../../functions/simulator/event-loop.ts';
import { quiet, quietPorts } from '../bench/quiet-ports.ts';
import { at, countedTokens, manifestJob } from '../support/jobs.ts';
import type { CrashJob, Hands } from './jobs.ts';
import { Outside, resultOf } from './outside.ts';
import { cancel, release } from './person.ts';
import { Process } from './process.ts';
import type { Strikes } from './strikes.ts';
import { struckLedger } from './struck-ledger.ts';

export const noon = at('12:00');
export const pool = 'db';
const capacity = 2;

export type Policy = ManifestJob['crashed'];

/** Where a world's records are, and its author's table. Empty. */
export interface Place {
  readonly ledger: Ledger;
  readonly authorsTable: string;
  authorsItems(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** What its tokens begin with. */
  readonly nonce: string;
  /** Lets whatever an event set going run until all of it waits for another event. @default nothing of it leaves the process */
  readonly settle?: () => Promise<void>;
}

/** What a job's process gets instead of the sound ledger. */
export type Mutate = (ledger: Ledger) => Ledger;

export function entryOf({ retry }: CrashJob, crashed: Policy): ManifestJob {
  return manifestJob({
    ...{ crashed, timeoutMs: minute, schedule: cron('0 12 * * *'), pools: { [pool]: 1 } },
    ...(retry && { retry }),
  });
}

const compiled = compileOnce();
const timetableOfAll = timetable(manifestJob({ schedule: cron('0 12 * * *') }).spec);

export interface WorldOf {
  readonly job: CrashJob;
  readonly policy: Policy;
  readonly place: Place;
  readonly strikes: Strikes;
  readonly mutate: Mutate;
}

/** The real runtime and the real reconciler around one fire of one job, in processes that are struck; and a person. */
export class World {
  readonly outside = new Outside();
  readonly broken: string[] = [];
  readonly entry: ManifestJob;
  readonly loop: EventLoop;
  /** How often a person had the run begun anew. */
  reruns = 0;
  readonly #of: WorldOf;
  readonly #manifest: Manifest;
  readonly #drawToken: () => string;
  readonly #ref;
  #alive: Process[] = [];
  #isCanceled = false;
  #invocations = 0;

  constructor(of: WorldOf) {
    this.#of = of;
    this.entry = entryOf(of.job, of.policy);
    this.#manifest = { version: 1, jobs: [this.entry], pools: { [pool]: { capacity, describe: pool } } };
    this.loop = new EventLoop(at('11:00'), of.place.settle);
    this.#drawToken = countedTokens(`${of.place.nonce}t`);
    this.#ref = { jobId: this.entry.id, key: fireKey(noon) };
  }

  get run(): Promise<Run | null> {
    return this.#of.place.ledger.run(this.#ref);
  }

  /** Some process is at work, or frozen. */
  get isBusy(): boolean {
    this.#alive = this.#alive.filter((process) => process.isAlive);
    return this.#alive.length > 0;
  }

  /** The alarm's one delivery. */
  deliver(): void {
    const payload = { ...alarmPayload(this.entry.id), scheduledTime: toIso(noon) };
    this.loop.at(noon + second, () => void this.#invoke(payload));
  }

  /** In a process in which nothing goes wrong, and which has all its time. */
  async sweep(): Promise<void> {
    const { ledger } = this.#of.place;
    const before = await this.run;
    const ports = {
      ledger,
      clock: () => this.loop.now,
      drawToken: this.#drawToken,
      invoker: {
        invoke: async (offered: Parameters<typeof offerPayload>[0]) => {
          this.loop.after(100, () => void this.#invoke(offerPayload(offered)));
        },
      },
      nudger: { nudge: async () => this.#sweepSoon(second), announce: async () => undefined },
      notifier: { notify: async () => undefined },
      stage: 'world',
      log: quiet,
      metrics: { report: async () => undefined, undeliverable: async () => undefined },
      sleep: (ms: number) => this.loop.pause(ms),
      loadedAt: this.loop.now,
      tzdata: '2025b',
    };
    await sweep(ports, this.#manifest, { compiled, remainingMs: () => minute });
    const after = await this.run;
    if (after?.token !== before?.token) this.#of.strikes.thaw('taken-over');
  }

  /** A person has a parked run go on. */
  async release(run: Run): Promise<void> {
    const verdict = this.#of.policy === 'rerun' ? 'rerun' : 'resume';
    if (verdict === 'rerun') this.reruns += 1;
    await release(run, { verdict, outside: this.outside }, this.#person());
  }

  #person() {
    return { ledger: this.#of.place.ledger, token: this.#drawToken(), now: this.loop.now };
  }

  #sweepSoon(ms: number): void {
    this.loop.after(ms, () => void this.sweep());
  }

  async #invoke(payload: object): Promise<void> {
    const { strikes, place, mutate } = this.#of;
    const lifeMs = this.entry.timeoutMs + killMarginMs;
    const killedAt = this.loop.now + lifeMs;
    this.#invocations += 1;
    const process = new Process(`job ${this.#invocations}`, { loop: this.loop, strikes, lifeMs });
    this.#alive.push(process);
    const ledger = mutate(struckLedger(place.ledger, process, this.loop));
    const ports = {
      ...quietPorts(ledger, process.clock),
      meter: readingMeter(() => ({ wallMs: process.clock() })),
      after: process.after,
      random: () => 0.5,
      drawToken: this.#drawToken,
      nudger: {
        nudge: async (why: string, delaySeconds = 0) => {
          await process.point(`nudges: ${why}`);
          this.#sweepSoon(delaySeconds * second);
        },
        announce: async () => void (await process.point('announces')),
      },
      exit: () => process.kill(),
    };
    const remainingMs = () => Math.max(0, killedAt - this.loop.now);
    try {
      await handleEvent(payload, { requestId: process.name, remainingMs }, this.#loaded(process), ports);
      await process.point('the invocation is over');
    } catch {
      // Lambda is told, and the ledger knows.
    }
    process.kill();
  }

  #loaded(process: Process): LoadedJob {
    return {
      entry: this.entry,
      timetable: timetableOfAll,
      run: async (_, ctx) => {
        for (const other of this.#alive)
          if (other !== process && other.isAlive && !other.isFrozen && !other.hasThawed)
            this.broken.push(`${process.name} begins while ${other.name} is at work`);
        try {
          return await this.#of.job.run(this.#handsOf(process, ctx));
        } finally {
          this.loop.needRound();
        }
      },
    };
  }

  #handsOf(process: Process, ctx: Context): Hands {
    return {
      ctx,
      does: (name) => this.outside.does(name, process),
      wasDone: async (name) => {
        await process.point(`looks whether ${name} was done`);
        return this.outside.times(name) > 0;
      },
      resultOf,
      failsAtFirst: (name, often) => this.outside.failsAtFirst(name, often),
      between: async (what) => void (await process.point(`between ${what}`)),
      cancelSoon: () => {
        if (this.#isCanceled) return;
        this.#isCanceled = true;
        this.loop.after(second, () => void this.#cancel());
      },
      table: this.#of.place.authorsTable,
    };
  }

  async #cancel(): Promise<void> {
    const run = await this.run;
    if (run === null) throw new Error('there is no run to cancel');
    await cancel(run, this.#person());
  }
}
