import type { Nudger } from '../../functions/domain/ports.ts';
import { second } from '../../functions/domain/time.ts';
import type { QueuedMessage } from '../../functions/reconciler/control.ts';
import { healthy, type Luck } from './process.ts';
import type { SharedTime } from './shared-time.ts';

/** What lies on it waits for the next sweep, and some nudges start one. */
export class ControlQueue implements Nudger {
  readonly #time: SharedTime;
  readonly #sweep: (luck: Luck) => Promise<void>;
  #nudgesLeft: number;
  #messages: QueuedMessage[] = [];

  /** `nudges`: so many arrive at once. */
  constructor(time: SharedTime, nudges: number, sweep: (luck: Luck) => Promise<void>) {
    this.#time = time;
    this.#nudgesLeft = nudges;
    this.#sweep = sweep;
  }

  async nudge(why: string, delaySeconds = 0): Promise<void> {
    this.#put({ fireledger: 'nudge', why });
    if (this.#nudgesLeft === 0) return;
    this.#nudgesLeft -= 1;
    this.#time.after(delaySeconds * second, () => void this.#sweep(healthy));
  }

  /** Nobody listens. */
  async announce(): Promise<void> {}

  loseNudges(): void {
    this.#nudgesLeft = 0;
  }

  /** What Lambda says of an invocation that failed. */
  reportFailure(requestId: string, requestPayload: object): void {
    const requestContext = { requestId, condition: 'RetriesExhausted' };
    this.#put({ requestContext, requestPayload, responsePayload: { errorType: 'Runtime.ExitError' } });
  }

  takeAll(): readonly QueuedMessage[] {
    const taken = this.#messages;
    this.#messages = [];
    return taken;
  }

  #put(message: object): void {
    const id = `message-${this.#messages.length}`;
    this.#messages.push({ id, body: JSON.stringify(message), attributes: {} });
  }
}
