import { type RunRef, runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import { hour, minute, second } from '../domain/time.ts';
import type { EventLoop } from './event-loop.ts';
import type { Faults } from './faults.ts';
import type { Body } from './observe.ts';
import type { Sandbox } from './sandbox.ts';
import type { Trace } from './trace.ts';

export interface ZombieWorld {
  readonly loop: EventLoop;
  readonly faults: Faults;
  readonly trace: Trace;
  /** A run's record as it is. */
  readonly standing: (ref: RunRef) => Run | null;
}

/** Somebody takes the run over sooner or later; one that is not waited for any more stays dead. */
const patienceMs = 6 * hour;
const lookEveryMs = minute;

/**
 * Processes that are taken for dead and only frozen. No lease of a process ends while it may run, so one goes on only once
 * another attempt, or nobody, owns its run.
 */
export class Zombies {
  readonly #world: ZombieWorld;

  constructor(world: ZombieWorld) {
    this.#world = world;
  }

  /** Asked when a process dies in which this execution is alive. */
  mayReturn(body: Body, sandbox: Sandbox): boolean {
    const { loop, faults } = this.#world;
    if (!faults.strikes('thawed-sandbox')) return false;
    const extent = faults.extent('thawed-sandbox');
    const [firstMs, livesMs] = [extent.whole(second, 20 * minute), extent.whole(second, 40 * second)];
    this.#look(body, sandbox, { at: loop.now + firstMs, until: loop.now + patienceMs, livesMs });
    return true;
  }

  #look(
    body: Body,
    sandbox: Sandbox,
    { at, until, livesMs }: { at: number; until: number; livesMs: number },
  ): void {
    const { loop, trace, standing } = this.#world;
    loop.at(at, () => {
      const run = standing(body);
      if (run?.state === 'running' && run.token === body.token) {
        if (loop.now < until) this.#look(body, sandbox, { at: at + lookEveryMs, until, livesMs });
        return;
      }
      trace.note({ at: loop.now, actor: sandbox.name, what: 'thaws', run: runId(body) });
      loop.after(livesMs, () => sandbox.die('crash'));
      sandbox.thaw();
    });
  }
}
