import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { unreadableQueue } from '../../functions/cli/unreadable-queue.ts';
import { errorAnswer } from '../../functions/local/endpoint/answer.ts';
import { listenOnLoopback } from '../../functions/local/loopback.ts';
import { at } from '../support/jobs.ts';
import { runFl } from './run-fl.ts';
import { runningQueue } from './running-queue.ts';
import { seededFolder } from './seeded.ts';

const start = at('00:00');
const now = at('04:00');

/** A running system on whose control queue two messages could not be read. */
async function withUnreadable() {
  let isMended = false;
  const running = await runningQueue({
    consume: () => {
      if (!isMended) throw new Error('no');
    },
  });
  for (const body of ['one', 'other']) running.queue.send(body);
  await vi.waitFor(() => expect(running.queue.unreadable).toHaveLength(2));
  isMended = true;
  const folder = await seededFolder(start, undefined, { controlQueueUrl: running.url });
  onTestFinished(async () => {
    await folder.stop();
    folder.remove();
  });
  const fl = (...words: string[]) => runFl([...words, '--data', folder.dir], { now });
  return { ...running, folder, fl };
}

describe('fl redrive', () => {
  test('sends back what could not be read, and goes on the log', async () => {
    const { fl, bodies } = await withUnreadable();
    expect(await fl('redrive', '--note', 'it reads them now')).toEqual({
      ...{ code: 0, err: '' },
      out: '2 messages are sent back to control.\n',
    });
    await vi.waitFor(() => expect(bodies).toEqual(['one', 'other']));
    expect(JSON.parse((await fl('log', '--json')).out)).toEqual([
      {
        ...{ at: '2026-12-01T04:00:00Z', by: 'ops', verb: 'redrive', note: 'it reads them now' },
        details: { messages: 2 },
      },
    ]);
    expect((await fl('log')).out).toContain('2 messages: “it reads them now”');
    expect(await fl('redrive')).toMatchObject({
      code: 2,
      err: 'fl: no message is unreadable: there is nothing to send back\n',
    });
  });

  test('--dry-run counts, and sends none', async () => {
    const { fl, queue } = await withUnreadable();
    expect((await fl('redrive', '--dry-run')).out).toBe('2 messages lie on control-unreadable.\n');
    expect(JSON.parse((await fl('redrive', '--dry-run', '--json')).out)).toEqual({
      ...{ messages: 2, isSentBack: false },
    });
    expect(queue.unreadable).toHaveLength(2);
    expect((await fl('log', '--json')).out).toBe('[]\n');
  });

  test('says so where no system runs', async () => {
    const { fl, folder } = await withUnreadable();
    await folder.stop();
    const { code, err } = await fl('redrive');
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('its queues are in memory'),
    });
  });
});

describe('what goes wrong at a deployed stage is told with what to do next', () => {
  const queues = { control: 'fireledger-dev-control', unreadable: 'fireledger-dev-unreadable' };

  test.each([
    ['AWS.SimpleQueueService.NonExistentQueue', 'x', 'there is no such queue in this account and region'],
    [
      'com.amazonaws.sqs#QueueDoesNotExist',
      'x',
      'there is no such queue in this account and region. Check AWS_PROFILE and AWS_REGION',
    ],
    [
      'AccessDeniedException',
      'x',
      'you may not. It takes sqs:GetQueueUrl, GetQueueAttributes, StartMessageMove',
    ],
    ['UnsupportedOperation', 'There is already a task running.', 'its messages are being sent back already'],
    ['InvalidClientTokenId', 'No such token', 'No such token. Check your AWS credentials'],
  ])('%s: %s', async (code, message, remedy) => {
    const server = await listenOnLoopback((_request, response) => {
      const { status, type, body } = errorAnswer(400, code, message);
      response.writeHead(status, { 'content-type': type }).end(body);
    });
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', server.url);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'person');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await server.close();
    });
    const counted = unreadableQueue(queues, 'stage dev').count();
    await expect(counted).rejects.toThrow(`fireledger-dev-unreadable of stage dev: ${remedy}`);
  });
});
