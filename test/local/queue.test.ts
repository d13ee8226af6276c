import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueue, type QueueOptions, type SqsEvent } from '../../functions/local/queue.ts';

/** A queue whose consumer answers what `answer` says, and the bodies that it was given, batch by batch. */
function start(answer: (event: SqsEvent) => unknown, options: Partial<QueueOptions> = {}) {
  const batches: string[][] = [];
  const queue = createQueue({
    name: 'control',
    visibilityMs: 1,
    consume: async (event) => {
      batches.push(event.Records.map(({ body }) => body));
      return answer(event);
    },
    ...options,
  });
  onTestFinished(() => void queue.close());
  return { queue, batches };
}

const emptied = (queue: { size: number }) => expect.poll(() => queue.size, { interval: 1 }).toBe(0);
const idOf = (event: SqsEvent, body: string) =>
  event.Records.find((record) => record.body === body)?.messageId;

describe('a queue', () => {
  it('loses, doubles and delays messages as it is told, each copy the same message', async () => {
    const fates = [[], [0, 1], [2]];
    const ids: string[] = [];
    const { queue, batches } = start(
      (event) => void ids.push(...event.Records.map((record) => record.messageId)),
      {
        arrivals: () => fates.shift() ?? [0],
      },
    );
    queue.send('lost');
    const doubled = queue.send('doubled');
    const late = queue.send('late');
    await emptied(queue);
    expect(batches.flat().sort()).toEqual(['doubled', 'doubled', 'late']);
    expect(ids.sort()).toEqual([doubled, doubled, late].sort());
  });

  it('hands messages to its consumer as Lambda does', async () => {
    const events: SqsEvent[] = [];
    const { queue } = start((event) => void events.push(event), { clock: () => 1_000 });
    const messageId = queue.send('hello', { ERROR_CODE: { dataType: 'String', stringValue: 'X' } });
    await emptied(queue);
    expect(events).toEqual([
      {
        Records: [
          {
            messageId,
            receiptHandle: `${messageId}#1`,
            body: 'hello',
            attributes: {
              ApproximateReceiveCount: '1',
              SentTimestamp: '1000',
              SenderId: 'local',
              ApproximateFirstReceiveTimestamp: '1000',
            },
            messageAttributes: { ERROR_CODE: { dataType: 'String', stringValue: 'X' } },
            md5OfBody: '5d41402abc4b2a76b9719d911017c592',
            eventSource: 'aws:sqs',
            eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:control',
            awsRegion: 'us-east-1',
          },
        ],
      },
    ]);
  });

  it('hands over at most 10 at once, each of them', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { queue, batches } = start(() => gate);
    const bodies = Array.from({ length: 25 }, (_, i) => String(i));
    for (const body of bodies) queue.send(body);
    release();
    await emptied(queue);
    expect(batches.flat()).toEqual(bodies);
    expect(batches.map((batch) => batch.length)).toEqual([10, 10, 5]);
  });

  it('brings back only the messages that the consumer names as failed', async () => {
    let calls = 0;
    const { queue, batches } = start((event) => {
      calls += 1;
      if (calls > 1) return undefined;
      return { batchItemFailures: [{ itemIdentifier: idOf(event, 'b') }] };
    });
    for (const body of ['a', 'b', 'c']) queue.send(body);
    await emptied(queue);
    expect(batches).toEqual([['a', 'b', 'c'], ['b']]);
  });

  it.each<[string, () => unknown]>([
    [
      'rejects',
      () => {
        throw new Error('no');
      },
    ],
    ['names a message that it was not given', () => ({ batchItemFailures: [{ itemIdentifier: 'x' }] })],
    ['answers in another shape', () => ({ batchItemFailures: [{}] })],
  ])('brings all back when the consumer %s, and puts aside what failed five times', async (_, fail) => {
    const { queue, batches } = start(fail);
    queue.send('poison');
    await emptied(queue);
    expect(batches).toHaveLength(5);
    expect(queue.unreadable.map(({ body, receives }) => [body, receives])).toEqual([['poison', 5]]);
  });

  it('tries anew what it had put aside, when that is sent back', async () => {
    let isMended = false;
    const { queue, batches } = start(() => {
      if (!isMended) throw new Error('no');
    });
    queue.send('poison');
    await emptied(queue);
    isMended = true;
    expect(queue.redrive()).toBe(1);
    await emptied(queue);
    expect(batches).toHaveLength(6);
    expect(queue.unreadable).toEqual([]);
    expect(queue.redrive()).toBe(0);
  });

  it('says how many messages are lost when it closes', () => {
    const { queue } = start(() => undefined);
    queue.send('now');
    queue.send('later', {}, 60_000);
    expect(queue.close()).toBe(2);
    expect(() => queue.send('too late')).toThrow('The queue control is closed.');
  });
});
