import { AsyncLocalStorage } from 'node:async_hooks';
import { countedDynamo } from '../handlers/counted-dynamo.ts';
import type { Context, Fire } from '../job.ts';
import { withoutSecrets } from '../runtime/log.ts';
import type { LoadedJob, Secrets } from '../runtime/ports.ts';
import type { BodyPlace, JobCode } from '../simulator/bodies.ts';
import type { Faults } from '../simulator/faults.ts';
import type { Random } from '../simulator/random.ts';
import type { Trace, TraceLine } from '../simulator/trace.ts';
import { Execution, type Trouble, type Wait } from './execution.ts';
import { withHttpCalls } from './http-calls.ts';
import { stepsIn } from './steps-in.ts';
import { Stillness } from './stillness.ts';
import { within } from './surroundings.ts';

/** The death of a process that a test wants. */
export interface WantedCrash {
  readonly fireTime: number;
  readonly attempt: number;
  /** null: as the seed has it. */
  readonly afterCalls: number | null;
}

export interface AuthorWorld {
  readonly job: LoadedJob;
  /** What is due then or later is none of the job's business: it only shows that the world has come to rest. */
  readonly until: number;
  readonly fetch: typeof globalThis.fetch;
  readonly secrets: Secrets;
  readonly takesMs: number;
  readonly crashes: readonly WantedCrash[];
}

/** Waits that an execution is believed to have before one has ended. */
const fewWaits = 3;

/** An author's code in a simulated world: each of its calls to outside takes virtual time, and may be its last. */
export class AuthorCode {
  readonly #world: AuthorWorld;
  readonly #alive = new Set<Execution>();
  readonly #stillness = new Stillness(this.#alive);
  readonly #current = new AsyncLocalStorage<Execution>();
  readonly #outside = globalThis.fetch;
  readonly #dynamo = countedDynamo();
  readonly #unmet: Set<WantedCrash>;
  #mostWaits = fewWaits;

  constructor(world: AuthorWorld) {
    this.#world = world;
    this.#unmet = new Set(world.crashes);
  }

  readonly settle = this.#stillness.settle;

  /** The crashes that have not come about. */
  get unmet(): readonly WantedCrash[] {
    return [...this.#unmet];
  }

  /** Runs a simulation with the job's environment and calls in place of this process's own. */
  async surround<T>(environment: Readonly<Record<string, string>>, simulation: () => Promise<T>): Promise<T> {
    const current = () => this.#current.getStore();
    try {
      return await within({ environment, fetch: this.#fetch }, () => withHttpCalls(current, simulation));
    } finally {
      this.#current.disable();
    }
  }

  /** Simulated for the job's code; for everybody else in this process as it was. */
  readonly #fetch: typeof globalThis.fetch = (input, init) => {
    const execution = this.#current.getStore();
    if (execution === undefined) return this.#outside(input, init);
    const request =
      input instanceof Request ? input : { method: 'GET', url: String(input), signal: undefined };
    const what = `${init?.method ?? request.method} ${request.url}`;
    const perform = async () => this.#current.exit(() => this.#world.fetch(input, init));
    return execution.call(what, perform, init?.signal ?? request.signal);
  };

  readonly code = (random: Random, faults: Faults, trace: Trace): JobCode => {
    return async (fire, ctx, place) => {
      const due = [fire.fireTime, ...fire.covers].map((instant) => instant.getTime());
      if (due.every((instant) => instant >= this.#world.until)) return undefined;
      const own = random.fork(`${fire.id} ${fire.attempt}`);
      const execution = new Execution({
        sandbox: place.sandbox,
        random: own,
        trouble: this.#troubleOf(fire, own, faults),
        onStir: () => this.#stillness.stir(),
        onCall: (what) => trace.aside(() => calls(what, fire, place)),
      });
      return this.#execute(execution, { fire, ctx, place });
    };
  };

  async #execute(
    execution: Execution,
    { fire, ctx, place }: { fire: Fire; ctx: Context; place: BodyPlace },
  ): Promise<unknown> {
    const { job, takesMs, secrets } = this.#world;
    const { signal } = ctx;
    const own = this.#contextIn(execution, ctx);
    this.#alive.add(execution);
    const forget = place.sandbox.whenDead(() => this.#alive.delete(execution));
    const stir = () => execution.stir();
    signal.addEventListener('abort', stir);
    try {
      const work = () => this.#current.run(execution, () => job.run(fire, own));
      return secrets.hidden(await execution.run(work, { signal, takesMs }));
    } catch (error) {
      throw secrets.hidden(error);
    } finally {
      this.#mostWaits = Math.max(this.#mostWaits, execution.waits);
      signal.removeEventListener('abort', stir);
      forget();
      this.#alive.delete(execution);
    }
  }

  /** Its `dynamo` is left alone: to ask for it would make the client. */
  #contextIn(execution: Execution, ctx: Context): Context {
    const { client } = this.#dynamo;
    const { signal, remainingMs, log, meter, progress, cursor, continueWith, shouldContinue } = ctx;
    return {
      ...{ signal, remainingMs, meter, progress, cursor, continueWith, shouldContinue },
      ...stepsIn(execution, ctx),
      previous: () => execution.waitFor(ctx.previous),
      log: withoutSecrets(log, this.#world.secrets),
      secret: (name) => execution.waitFor(() => this.#world.secrets.value(name)),
      get dynamo() {
        return client();
      },
    };
  }

  #troubleOf(fire: Fire, random: Random, faults: Faults): Trouble | null {
    const place = random.whole(0, this.#mostWaits - 1);
    const atPlace = (wait: Wait) => wait.place === place || wait.kind === 'ends';
    const wanted = this.#world.crashes.find(
      ({ fireTime, attempt }) =>
        fireTime === fire.fireTime.getTime() && attempt === fire.attempt && fire.trigger !== 'manual',
    );
    if (wanted !== undefined) {
      this.#unmet.delete(wanted);
      return {
        kind: 'crash',
        strikesAt: wanted.afterCalls === null ? atPlace : afterCalls(wanted.afterCalls),
      };
    }
    if (faults.strikes('crash-in-body')) return { kind: 'crash', strikesAt: atPlace };
    if (faults.strikes('slow-body')) return { kind: 'silence', strikesAt: atPlace };
    if (faults.strikes('failing-body')) return { kind: 'failure', strikesAt: atPlace };
    return null;
  }
}

function afterCalls(count: number): Trouble['strikesAt'] {
  return ({ kind, sent }) => kind === 'ends' || (kind !== 'begins' && sent === count);
}

function calls(what: string, { id }: Fire, { sandbox }: BodyPlace): TraceLine {
  return {
    at: sandbox.clock() - sandbox.skewMs,
    actor: sandbox.name,
    what: `code calls ${what}`,
    run: id,
  };
}
