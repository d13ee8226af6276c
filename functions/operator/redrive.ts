import { type Operator, Refused } from './ports.ts';

/** The messages that failed too often on the control queue. */
export interface UnreadableQueue {
  /** About how many lie there. */
  readonly count: () => Promise<number>;
  /** Sends them back to the control queue, to be tried anew. They may still be on their way when it resolves. */
  readonly redrive: () => Promise<void>;
}

/**
 * Sends back what failed too often on the control queue; about how many messages. It goes on the log once it has begun.
 *
 * @throws Refused when there is none
 */
export async function redrive(
  { ledger, clock, by }: Operator,
  queue: UnreadableQueue,
  { note }: { readonly note?: string } = {},
): Promise<number> {
  const messages = await queue.count();
  if (messages === 0) throw new Refused('no message is unreadable: there is nothing to send back');
  await queue.redrive();
  const why = note === undefined ? {} : { note };
  await ledger.log({ at: clock(), by, verb: 'redrive', ...why, details: { messages } });
  return messages;
}
