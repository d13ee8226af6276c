import type fc from 'fast-check';
import { alarmPayload } from '../../functions/contract.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import type { Manifest, ManifestJob } from '../../functions/domain/manifest.ts';
import type { DrawToken, Log, Nudger } from '../../functions/domain/ports.ts';
import { toIso } from '../../functions/domain/time.ts';
import { countedTokens } from '../support/jobs.ts';
import { type Act, fromNoon, type Invoked, type Script } from './acts.ts';
import { ControlQueue } from './control-queue.ts';
import { invokeJob } from './job-function.ts';
import { decideByPerson } from './person.ts';
import { type Luck, Process } from './process.ts';
import { sweepOnce } from './reconciler-function.ts';
import { scheduledLedger } from './scheduled-ledger.ts';
import { Stage } from './stage.ts';
import { Watch } from './watch.ts';

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What every process gets. */
export interface CommonPorts {
  readonly ledger: Ledger;
  readonly clock: () => number;
  readonly drawToken: DrawToken;
  readonly nudger: Nudger;
  readonly log: Log;
}

/** The real runtime and the real reconciler, in many processes, on one ledger: what is modelled is the world around them. */
export class World {
  readonly stage: Stage;
  readonly watch: Watch;
  readonly queue: ControlQueue;
  readonly #ledger: Ledger;
  readonly #deploys: Script['deploys'];
  readonly #offers: (readonly Invoked[])[];
  readonly #drawToken = countedTokens();
  /** What the reconciler's newest process goes by. */
  #deploy = 0;
  #processes = 0;

  /** `now`: epoch milliseconds at which everything begins. */
  constructor(
    { deploys, offers, nudges }: Script,
    { scheduler, ledger, now }: { scheduler: fc.Scheduler; ledger: (watch: Watch) => Ledger; now: number },
  ) {
    this.stage = new Stage(scheduler, now);
    this.watch = new Watch(deploys);
    this.#ledger = ledger(this.watch);
    this.#deploys = deploys;
    this.#offers = [...offers];
    this.queue = new ControlQueue(this.stage.time, nudges, (luck) => this.#sweep(luck));
  }

  begin(act: Act): void {
    this.stage.time.after(fromNoon(act.at) - this.stage.time.now, () => void this.#perform(act));
  }

  /** From now on nothing goes wrong any more, and nudges are lost. */
  calmDown(): void {
    this.#offers.length = 0;
    this.queue.loseNudges();
  }

  process(what: string, luck: Luck, lifeMs: number): Process {
    this.#processes += 1;
    return new Process(`${what}-${this.#processes}`, luck, { time: this.stage.time, lifeMs });
  }

  ports(process: Process): CommonPorts {
    return {
      ledger: scheduledLedger(this.#ledger, process, this.stage),
      clock: process.clock,
      drawToken: this.#drawToken,
      nudger: this.queue,
      log: silent,
    };
  }

  /** How the next offer is invoked; undefined: all that were drawn are over. */
  nextOffer(): readonly Invoked[] | undefined {
    return this.#offers.shift();
  }

  manifest(deploy: number): Manifest {
    const manifest = this.#deploys[deploy];
    if (manifest === undefined) throw new Error(`there is no deploy ${deploy}`);
    return manifest;
  }

  job(deploy: number, jobId: string): ManifestJob {
    const job = this.manifest(deploy).jobs.find(({ id }) => id === jobId);
    if (job === undefined) throw new Error(`deploy ${deploy} has no ${jobId}`);
    return job;
  }

  async #perform(act: Act): Promise<void> {
    switch (act.kind) {
      case 'delivery': {
        const payload = { ...alarmPayload(act.jobId), scheduledTime: toIso(fromNoon(act.fire)) };
        return invokeJob(this, this.job(act.deploy, act.jobId), payload, act);
      }
      case 'sweep':
        this.#deploy = act.deploy;
        return this.#sweep(act.luck);
      default:
        return decideByPerson(this, act);
    }
  }

  #sweep(luck: Luck): Promise<void> {
    return sweepOnce(this, this.#deploy, luck);
  }
}
