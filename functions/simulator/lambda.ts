import { minute, second } from '../domain/time.ts';
import type { EventLoop } from './event-loop.ts';
import type { Faults } from './faults.ts';
import type { Random } from './random.ts';
import { type Death, Sandbox } from './sandbox.ts';
import type { Trace } from './trace.ts';

/** The code of a function in one version. */
export interface Code {
  readonly timeoutMs: number;
  /** What one sandbox does with events, one at a time. */
  boot(sandbox: Sandbox): (event: unknown, invocation: SimulatedInvocation) => Promise<unknown>;
}

export interface SimulatedInvocation {
  readonly requestId: string;
  readonly remainingMs: () => number;
}

export type Ended =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'died'; readonly why: Death };

export interface LambdaWorld {
  readonly loop: EventLoop;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly random: Random;
  /** Draws how far a new sandbox's clock is ahead. */
  readonly drawSkew: () => number;
  /** Where records of failed events go. */
  readonly onFailure: (record: unknown) => void;
}

export interface FunctionOptions {
  readonly name: string;
  /** The code that is deployed now, and the one before when that may still be served; null: there is no such function. */
  readonly code: () => { readonly current: Code; readonly before: Code | null } | null;
  readonly maxAgeMs: number;
}

interface Place {
  readonly code: Code;
  readonly sandbox: Sandbox;
  readonly handle: ReturnType<Code['boot']>;
}

/** A warm sandbox is kept for so long. */
const keptMs = 10 * minute;

/** A Lambda function: asynchronous events at least once, one sandbox per invocation at a time, killed at its timeout. */
export class LambdaFunction {
  readonly name: string;
  readonly #world: LambdaWorld;
  readonly #options: FunctionOptions;
  #warm: (Place & { readonly since: number })[] = [];
  #booted = 0;
  #events = 0;

  constructor(world: LambdaWorld, options: FunctionOptions) {
    this.name = options.name;
    this.#world = world;
    this.#options = options;
  }

  get exists(): boolean {
    return this.#options.code() !== null;
  }

  /** Accepts an event. It is started within its age, mostly at once, and possibly twice or never. */
  accept(event: unknown): void {
    const { loop, faults, random } = this.#world;
    const { maxAgeMs } = this.#options;
    const requestId = this.#requestId();
    if (faults.strikes('lost-event')) return;
    if (faults.strikes('aged-event')) {
      loop.after(maxAgeMs, () => this.#fail(event, requestId, 'EventAgeExceeded'));
      return;
    }
    const isSlow = faults.strikes('slow-event');
    const delay = isSlow ? faults.extent('slow-event').whole(second, maxAgeMs) : random.whole(5, 200);
    loop.after(delay, () => void this.#start(event, requestId));
    if (!faults.strikes('doubled-event')) return;
    const again = delay + faults.extent('doubled-event').whole(0, minute);
    loop.after(again, () => void this.#start(event, requestId));
  }

  async #start(event: unknown, requestId: string): Promise<void> {
    const ended = await this.invoke(event, requestId);
    if (ended.kind === 'returned') return;
    const why = ended.kind === 'died' ? `Sandbox.${ended.why}` : String(ended.error);
    this.#fail(event, requestId, 'RetriesExhausted', why);
  }

  /** Runs one event, in a warm sandbox or a new one. */
  async invoke(event: unknown, requestId = this.#requestId()): Promise<Ended> {
    const { loop, faults, trace } = this.#world;
    const deployed = this.#options.code();
    if (deployed === null) return { kind: 'threw', error: 'there is no such function any more' };
    const { current, before } = deployed;
    const place = await this.#place(before !== null && faults.strikes('old-code') ? before : current);
    const ended = await run(loop, place, { event, requestId });
    const { sandbox } = place;
    if (ended.kind === 'died') trace.note({ at: loop.now, actor: sandbox.name, what: `died: ${ended.why}` });
    else this.#warm.push({ ...place, since: loop.now });
    return ended;
  }

  /** A warm sandbox with this code, or a new one. */
  async #place(code: Code): Promise<Place> {
    const { loop, faults, random, drawSkew } = this.#world;
    this.#warm = this.#warm.filter(({ sandbox, since }) => sandbox.isAlive && since > loop.now - keptMs);
    const at = this.#warm.findIndex((place) => place.code === code);
    const [warm] = at < 0 ? [] : this.#warm.splice(at, 1);
    if (warm !== undefined) return warm;
    const slow = faults.strikes('slow-cold-start');
    await loop.pause(
      slow ? faults.extent('slow-cold-start').whole(second, 20 * second) : random.whole(150, 900),
    );
    this.#booted += 1;
    const sandbox = new Sandbox(loop, { name: `${this.name} (sandbox ${this.#booted})`, skewMs: drawSkew() });
    return { code, sandbox, handle: code.boot(sandbox) };
  }

  #fail(payload: unknown, requestId: string, condition: string, errorMessage?: string): void {
    const response =
      errorMessage === undefined ? {} : { responsePayload: { errorType: 'Error', errorMessage } };
    this.#world.onFailure({ requestContext: { requestId, condition }, requestPayload: payload, ...response });
  }

  #requestId(): string {
    this.#events += 1;
    return `request ${this.#events} of ${this.name}`;
  }
}

async function run(
  loop: EventLoop,
  { code, sandbox, handle }: Place,
  { event, requestId }: { event: unknown; requestId: string },
): Promise<Ended> {
  const killAt = loop.now + code.timeoutMs;
  const callOff = loop.at(killAt, () => sandbox.die('timeout'));
  let forget: () => void = () => undefined;
  const died = new Promise<Ended>((resolve) => {
    forget = sandbox.whenDead((why) => resolve({ kind: 'died', why }));
  });
  const handled = handle(event, { requestId, remainingMs: () => killAt - loop.now }).then(
    (value): Ended => ({ kind: 'returned', value }),
    (error: unknown): Ended => ({ kind: 'threw', error }),
  );
  const ended = await Promise.race([died, handled]);
  callOff();
  forget();
  return ended;
}
