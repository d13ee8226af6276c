import { expect, onTestFinished, test, vi } from 'vitest';
import { hour } from '../../functions/domain/time.ts';
import { startEndpoint } from '../../functions/local/endpoint/endpoint.ts';
import { createQueue } from '../../functions/local/queue.ts';
import { readControlMessage } from '../../functions/reconciler/control.ts';
import { runFl } from './run-fl.ts';
import { invoices, seededFolder } from './seeded.ts';

const start = Date.parse('2026-12-01T00:00:00Z');
/** The one that is parked. */
const id = `${invoices.id}#2026-12-01T01:00:00Z`;

/** A ledger of a system whose control queue is there, and what was put on that. */
async function withQueue() {
  const bodies: string[] = [];
  const queue = createQueue({
    name: 'control',
    consume: async ({ Records }) => void bodies.push(...Records.map(({ body }) => body)),
  });
  const nothing = () => undefined;
  const told = { onMetrics: nothing, onPublish: nothing };
  const endpoint = await startEndpoint({
    ...{
      ...told,
      dynamoDb: 'http://127.0.0.1:1',
      queues: { control: queue },
      secrets: { valueOf: () => undefined, remedyFor: () => '' },
    },
    invoke: () => Promise.reject(new Error('nothing is invoked')),
  });
  const folder = await seededFolder(start, undefined, {
    controlQueueUrl: `${endpoint.url}/000000000000/control`,
  });
  onTestFinished(async () => {
    queue.close();
    await endpoint.close();
    await folder.stop();
    folder.remove();
  });
  const fl = (...words: string[]) => runFl([...words, '--data', folder.dir], { now: start + 12 * hour });
  return { bodies, endpoint, fl };
}

test.each(['cancel', 'release --resume', 'release --fail'])(
  'fl %s has the reconciler look at once: others may wait for what the run gave back, or it waits itself',
  async (words) => {
    const { bodies, fl } = await withQueue();
    const [verb = '', ...how] = words.split(' ');
    expect(await fl(verb, id, ...how)).toMatchObject({ code: 0, err: '' });
    await vi.waitFor(() => expect(bodies).toHaveLength(1));
    expect(readControlMessage(bodies[0] ?? '', {})).toEqual({ kind: 'nudge', why: `a person moved ${id}` });
  },
);

test('where that can not be, the move counts all the same, and it is said that it takes a minute', async () => {
  const { endpoint, fl } = await withQueue();
  await endpoint.close();
  const { code, out, err } = await fl('cancel', id);
  expect({ code, out }).toEqual({ code: 0, out: `${id} is canceled.\n` });
  expect(err).toBe('a nudge was lost; the next sweep comes within a minute\n');
});

test('what changes nothing nudges nobody', async () => {
  const { bodies, fl } = await withQueue();
  expect((await fl('release', `${invoices.id}#2026-12-01T00:00:00Z`, '--fail')).code).toBe(2);
  expect(bodies).toEqual([]);
});
