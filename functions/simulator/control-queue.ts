import { minute, second } from '../domain/time.ts';
import type { EventLoop } from './event-loop.ts';
import type { Faults } from './faults.ts';
import type { Ended } from './lambda.ts';
import type { Random } from './random.ts';

interface Message {
  readonly id: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  receives: number;
  visibleAt: number;
}

export interface QueueWorld {
  readonly loop: EventLoop;
  readonly faults: Faults;
  readonly random: Random;
  /** Hands messages to their consumer; null: it can't be reached now. */
  readonly consume: (event: unknown) => Promise<Ended> | null;
}

/** As the template has them. */
const batchSize = 10;
const mostConsumers = 2;
const visibilityMs = 6 * minute;
const tries = 5;

/** SQS: at least once, in any order; what failed too often goes aside. */
export class ControlQueue {
  readonly #world: QueueWorld;
  #messages: Message[] = [];
  #consumers = 0;
  #sent = 0;
  /** Messages that nobody could read. */
  unreadable = 0;

  constructor(world: QueueWorld) {
    this.#world = world;
  }

  send(
    body: string,
    { attributes = {}, delayMs = 0 }: { attributes?: Message['attributes']; delayMs?: number } = {},
  ): void {
    this.#sent += 1;
    this.#put({ id: `message ${this.#sent}`, body, attributes, receives: 0, visibleAt: 0 }, delayMs);
  }

  #put(message: Message, delayMs: number): void {
    const { loop, faults, random } = this.#world;
    const overtaken = faults.strikes('reordered-messages')
      ? faults.extent('reordered-messages').whole(second, 2 * minute)
      : 0;
    message.visibleAt = loop.now + delayMs + overtaken + random.whole(5, second);
    this.#messages.push(message);
    loop.at(message.visibleAt, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const { loop, consume } = this.#world;
    if (this.#consumers >= mostConsumers) return;
    const batch = this.#receive();
    if (batch.length === 0) return;
    const consumed = consume({ Records: batch.map(recordOf) });
    if (consumed === null) {
      for (const message of batch) this.#put(message, 30 * second);
      return;
    }
    this.#consumers += 1;
    const ended = await consumed;
    this.#consumers -= 1;
    this.#settle(batch, ended);
    loop.after(0, () => void this.#poll());
  }

  #receive(): Message[] {
    const { now } = this.#world.loop;
    const batch = this.#messages.filter(({ visibleAt }) => visibleAt <= now).slice(0, batchSize);
    this.#messages = this.#messages.filter((message) => !batch.includes(message));
    return batch;
  }

  #settle(batch: readonly Message[], ended: Ended): void {
    const { faults } = this.#world;
    const failed = failuresOf(ended);
    for (const message of batch) {
      message.receives += 1;
      if (failed === 'all' || failed.has(message.id)) {
        if (message.receives < tries) this.#put(message, visibilityMs);
        else this.unreadable += 1;
      } else if (faults.strikes('doubled-message')) {
        this.#put({ ...message }, faults.extent('doubled-message').whole(0, 10 * minute));
      }
    }
  }
}

function recordOf({ id, body, attributes }: Message) {
  const named = Object.entries(attributes).map(([name, stringValue]) => [name, { stringValue }]);
  return { messageId: id, body, messageAttributes: Object.fromEntries(named) };
}

function failuresOf(ended: Ended): ReadonlySet<string> | 'all' {
  if (ended.kind !== 'returned') return 'all';
  const { batchItemFailures } = ended.value as {
    readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
  };
  return new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
}
