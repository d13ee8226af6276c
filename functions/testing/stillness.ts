import { setTimeout as realPause, setImmediate as turn } from 'node:timers/promises';
import { second } from '../domain/time.ts';

/** What time stands still for. */
export interface AtWork {
  readonly isComputing: boolean;
  leave(): void;
}

/** Rounds of the process's event loop: what the runtime may need for one event, and what promises of job code may. */
const runtimeTurns = 2;
const codeTurns = 8;
/** Code that has been at nothing for so long waits for its abort. Real time. */
const idleMs = 200;
const patienceMs = 10 * second;

/**
 * Lets virtual time stand still while job code is at work, however long that really takes: so what it awaits besides
 * virtual time, such as the body of a response or a database, comes to the same in each run.
 */
export class Stillness {
  readonly #atWork: ReadonlySet<AtWork>;
  /** How much this process has open without the job's code: the least that was seen, since some of it comes and goes. */
  #atRest = lasting().length;
  #isStirred = false;

  constructor(atWork: ReadonlySet<AtWork>) {
    this.#atWork = atWork;
  }

  /** Job code goes on. */
  stir(): void {
    this.#isStirred = true;
  }

  /** Resolves when all code waits for virtual time. @throws when it waits for something real for more than 10 seconds */
  readonly settle = async (): Promise<void> => {
    for (let count = 0; count < runtimeTurns; count += 1) await turn();
    if (this.#computing().length === 0) this.#atRest = Math.min(this.#atRest, lasting().length);
    if (!this.#isStirred) return;
    this.#isStirred = false;
    for (let count = 0; count < codeTurns; count += 1) await turn();
    if (this.#computing().length > 0) await this.#standStill();
  };

  #computing(): AtWork[] {
    return [...this.#atWork].filter(({ isComputing }) => isComputing);
  }

  async #standStill(): Promise<void> {
    const began = performance.now();
    let busyAt = began;
    for (let round = 0; this.#computing().length > 0; round += 1) {
      await (round < 100 ? turn() : realPause(1));
      const now = performance.now();
      if (process.getActiveResourcesInfo().length > this.#atRest) busyAt = now;
      if (now > busyAt + idleMs) for (const one of this.#computing()) one.leave();
      if (now > began + patienceMs) throw tooLong();
    }
  }
}

/** Timers of others end by themselves; one that is counted and gone would hide one of the job's. */
function lasting(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout' && kind !== 'Immediate');
}

function tooLong(): Error {
  const what = [...new Set(process.getActiveResourcesInfo())].join(', ');
  return new Error(
    `the job's code has waited for something real for ${patienceMs / second} s, in which no virtual time goes by (open in this process: ${what}). In a simulation only its calls take virtual time: have them answered at once, by a fakeFetch or on this machine, and fake its timers`,
  );
}
