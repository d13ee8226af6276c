import { createHash, randomUUID } from 'node:crypto';

export interface MessageAttribute {
  readonly dataType: string;
  readonly stringValue: string;
}

export interface QueueMessage {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
  /** Epoch milliseconds. */
  readonly sentAt: number;
  /** How often a consumer was given it. */
  readonly receives: number;
}

/** What Lambda hands to a function that consumes a queue. */
export interface SqsEvent {
  readonly Records: readonly SqsRecord[];
}

export interface SqsRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Readonly<Record<string, MessageAttribute>>;
  readonly md5OfBody: string;
  readonly eventSource: 'aws:sqs';
  readonly eventSourceARN: string;
  readonly awsRegion: string;
}

export interface QueueOptions {
  readonly name: string;
  /**
   * Is given up to 10 messages. They are done when it resolves, but for those that its answer names as
   * `batchItemFailures`; none is when it rejects or names one that it wasn't given.
   */
  readonly consume: (event: SqsEvent) => Promise<unknown>;
  /** Told of a message that failed too often. It is kept in `unreadable`. */
  readonly onUnreadable?: (message: QueueMessage) => void;
  /** After how long a failed message comes again. @default 30 seconds */
  readonly visibilityMs?: number;
  /** @default 5 */
  readonly maxReceives?: number;
  /** Epoch milliseconds. @default Date.now */
  readonly clock?: () => number;
  /** When the copies of a message arrive, in milliseconds after it was to. None: it is lost. @default - once, in time */
  readonly arrivals?: () => readonly number[];
}

export interface Queue {
  /** Returns the message's id. */
  send(body: string, attributes?: Readonly<Record<string, MessageAttribute>>, delayMs?: number): string;
  /** What failed too often: the second queue. */
  readonly unreadable: readonly QueueMessage[];
  /** Sends back what failed too often, to be tried anew; how many messages. */
  redrive(): number;
  /** Messages that are still to be consumed. */
  readonly size: number;
  /** Consumes nothing more. Returns how many messages are lost by it: the queue is in memory. */
  close(): number;
}

/**
 * An SQS queue with its consumer, in memory: at least once, in batches, one batch at a time. What is in it at the end of
 * the process is lost, which is no harm to what it carries here: nudges and failure records are hints, and the sweep
 * finds what they hint at.
 */
export function createQueue(options: QueueOptions): Queue {
  return new LocalQueue(options);
}

const MAX_BATCH = 10;
const REGION = 'us-east-1';
const inTime = () => [0];

class LocalQueue implements Queue {
  readonly unreadable: QueueMessage[] = [];
  readonly #options: QueueOptions;
  readonly #visible: QueueMessage[] = [];
  readonly #hidden = new Map<QueueMessage, NodeJS.Timeout>();
  #inFlight: readonly QueueMessage[] = [];
  #closed = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#visible.length + this.#hidden.size + this.#inFlight.length;
  }

  send(body: string, attributes: Readonly<Record<string, MessageAttribute>> = {}, delayMs = 0): string {
    if (this.#closed) throw new Error(`The queue ${this.#options.name} is closed.`);
    const sentAt = (this.#options.clock ?? Date.now)();
    const message = { messageId: randomUUID(), body, attributes, sentAt, receives: 0 };
    const { arrivals = inTime } = this.#options;
    for (const lateMs of arrivals()) this.#showAfter({ ...message }, delayMs + lateMs);
    return message.messageId;
  }

  redrive(): number {
    const again = this.unreadable.splice(0);
    for (const message of again) this.#showAfter({ ...message, receives: 0 }, 0);
    return again.length;
  }

  close(): number {
    this.#closed = true;
    for (const timer of this.#hidden.values()) clearTimeout(timer);
    return this.size;
  }

  #showAfter(message: QueueMessage, delayMs: number): void {
    const show = () => {
      this.#hidden.delete(message);
      this.#visible.push(message);
      // Not at once: what was sent together is then consumed together.
      setImmediate(() => void this.#consumeAll());
    };
    if (delayMs === 0) show();
    else this.#hidden.set(message, setTimeout(show, delayMs));
  }

  async #consumeAll(): Promise<void> {
    if (this.#inFlight.length > 0) return;
    while (this.#visible.length > 0 && !this.#closed) {
      const received = this.#visible.splice(0, MAX_BATCH);
      this.#inFlight = received.map((message) => ({ ...message, receives: message.receives + 1 }));
      const failed = await this.#consume(this.#inFlight);
      this.#inFlight = [];
      for (const message of failed) this.#failed(message);
    }
  }

  /** The messages that are to come again. */
  async #consume(batch: readonly QueueMessage[]): Promise<readonly QueueMessage[]> {
    try {
      const answer = await this.#options.consume({ Records: batch.map((message) => this.#record(message)) });
      const failures = failedIds(answer);
      const known = new Set(batch.map(({ messageId }) => messageId));
      if (failures.some((id) => !known.has(id))) return batch;
      return batch.filter(({ messageId }) => failures.includes(messageId));
    } catch {
      // The consumer's own failure is told by whoever runs it; here it means only that the messages come again.
      return batch;
    }
  }

  #failed(message: QueueMessage): void {
    const { maxReceives = 5, visibilityMs = 30_000, onUnreadable } = this.#options;
    if (message.receives < maxReceives) {
      if (this.#closed) this.#visible.push(message);
      else this.#showAfter(message, visibilityMs);
      return;
    }
    this.unreadable.push(message);
    onUnreadable?.(message);
  }

  #record(message: QueueMessage): SqsRecord {
    const { messageId, body, attributes, sentAt, receives } = message;
    return {
      messageId,
      receiptHandle: `${messageId}#${receives}`,
      body,
      attributes: {
        ApproximateReceiveCount: String(receives),
        SentTimestamp: String(sentAt),
        SenderId: 'local',
        ApproximateFirstReceiveTimestamp: String(sentAt),
      },
      messageAttributes: attributes,
      md5OfBody: md5(body),
      eventSource: 'aws:sqs',
      eventSourceARN: queueArn(this.#options.name),
      awsRegion: REGION,
    };
  }
}

/** The name of a queue's second one. */
export function unreadableNameOf(queue: string): string {
  return `${queue}-unreadable`;
}

export function queueArn(name: string): string {
  return `arn:aws:sqs:${REGION}:000000000000:${name}`;
}

/** SQS's check sum of a body, in hex. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** The ids in `{ batchItemFailures: [{ itemIdentifier }] }`; none in an answer without. Throws for another shape. */
function failedIds(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !('batchItemFailures' in answer)) return [];
  const failures = answer.batchItemFailures;
  if (failures === null || failures === undefined) return [];
  if (!Array.isArray(failures)) throw new Error('batchItemFailures must be a list.');
  return failures.map((failure: { itemIdentifier?: unknown }) => {
    if (typeof failure?.itemIdentifier === 'string') return failure.itemIdentifier;
    throw new Error('Each of batchItemFailures must have an itemIdentifier.');
  });
}
