import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { nudgeReconciler } from '../../functions/cli/nudge-reconciler.ts';
import { hour } from '../../functions/domain/time.ts';
import { readControlMessage } from '../../functions/reconciler/control.ts';
import { runFl } from './run-fl.ts';
import { runningQueue } from './running-queue.ts';
import { invoices, seededFolder } from './seeded.ts';

const start = Date.parse('2026-12-01T00:00:00Z');
/** The one that is parked. */
const id = `${invoices.id}#2026-12-01T01:00:00Z`;

/** A ledger of a system whose control queue is there, and what was put on that. */
async function withQueue() {
  const { bodies, endpoint, url } = await runningQueue();
  const folder = await seededFolder(start, undefined, { controlQueueUrl: url });
  onTestFinished(async () => {
    await folder.stop();
    folder.remove();
  });
  const fl = (...words: string[]) =>
    runFl([...words, '--data', folder.dir], {
      now: start + 12 * hour,
      meanwhile: () => new Promise(() => {}),
    });
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

describe('of a deployed stage', () => {
  const queues = { control: 'fireledger-dev-control', unreadable: 'fireledger-dev-unreadable' };

  /** Nothing is told, and the answer comes before patience ends. */
  const quiet = { warn: () => expect.unreachable('it was told'), sleep: () => new Promise<void>(() => {}) };

  /** What of AWS the person's environment leads to. */
  function asPerson(endpoint: string): void {
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', endpoint);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'person');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    onTestFinished(() => void vi.unstubAllEnvs());
  }

  test('it is nudged through its control queue, with the credentials of the person', async () => {
    const { bodies, endpoint } = await runningQueue({ name: queues.control });
    asPerson(endpoint.url);
    await nudgeReconciler({ queues }, 'a person moved x', quiet);
    await vi.waitFor(() => expect(bodies).toHaveLength(1));
    expect(readControlMessage(bodies[0] ?? '', {})).toEqual({ kind: 'nudge', why: 'a person moved x' });
  });

  test('nobody is told when that is refused: it sweeps within a minute', async () => {
    const { bodies, endpoint } = await runningQueue();
    asPerson(endpoint.url);
    await nudgeReconciler({ queues }, 'a person moved x', quiet);
    expect(bodies).toEqual([]);
  });

  test('nobody waits for longer than two seconds when nothing answers', async () => {
    const deaf = createServer(() => {}).listen(0, '127.0.0.1');
    const sockets = new Set<Socket>();
    deaf.on('connection', (socket) => sockets.add(socket));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      deaf.close();
    });
    await once(deaf, 'listening');
    const address = deaf.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    asPerson(`http://127.0.0.1:${address.port}`);
    const naps: number[] = [];
    const sleep = async (ms: number) => void naps.push(ms);
    await nudgeReconciler({ queues }, 'a person moved x', { ...quiet, sleep });
    expect(naps).toEqual([2_000]);
  });
});
