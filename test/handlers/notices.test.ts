import { createServer, type RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { env, noticesTopicEnv } from '../../functions/contract.ts';
import { noticesTopicArn } from '../../functions/handlers/environment.ts';
import { snsNotifier } from '../../functions/handlers/sns-notifier.ts';
import { sqsNudger } from '../../functions/handlers/sqs-nudger.ts';
import { type Endpoint, startEndpoint } from '../../functions/local/endpoint/endpoint.ts';
import type { Published } from '../../functions/local/endpoint/sns.ts';
import { createQueue, type Queue } from '../../functions/local/queue.ts';
import { readControlMessage } from '../../functions/reconciler/control.ts';

const topicArn = 'arn:aws:sns:us-east-1:000000000000:fireledger-local-notices';
const ended = { jobId: 'reports/daily', key: '2026-12-01T12:00:00Z' };
const letter = { subject: '[fireledger prod] failed: reports/daily', text: 'a & b <c>\n\n  npm run …\n' };

let endpoint: Endpoint;
let queue: Queue;
let published: Published[];
let bodies: string[];
let problems: string[];

const log = { info: () => {}, warn: () => {}, error: (message: string) => void problems.push(message) };

beforeEach(async () => {
  published = [];
  bodies = [];
  problems = [];
  queue = createQueue({
    name: 'control',
    consume: async ({ Records }) => void bodies.push(...Records.map(({ body }) => body)),
  });
  endpoint = await startEndpoint({
    dynamoDb: 'http://127.0.0.1:1',
    queues: { control: queue },
    invoke: () => Promise.reject(new Error('nothing to invoke')),
    onMetrics: () => {},
    onPublish: (one) => void published.push(one),
    secrets: { valueOf: () => undefined, remedyFor: () => '' },
  });
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint.url);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  queue.close();
  await endpoint.close();
});

describe('a letter', () => {
  it('is published to the topic of its stage as it is', async () => {
    await snsNotifier(topicArn).notify(letter);
    expect(published).toEqual([{ topicArn, subject: letter.subject, message: letter.text }]);
  });

  it('that the topic refuses is known not to be sent', async () => {
    await serve((_request, response) => response.writeHead(403).end());
    await expect(snsNotifier(topicArn).notify(letter)).rejects.toThrow();
  });

  it('that nobody answers for is given up: the turn has other things to do', async () => {
    await serve(() => undefined);
    await expect(snsNotifier(topicArn, 50).notify(letter)).rejects.toThrow(/abort/i);
  });
});

/** What stands in for AWS, until the end of the test. */
async function serve(answer: RequestListener): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close().closeAllConnections());
  const address = server.address();
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
}

describe('an attempt that announces its run', () => {
  it('says so where AWS_ENDPOINT_URL says, though the template writes the queue’s address at AWS', async () => {
    await sqsNudger('https://sqs.us-east-1.amazonaws.com/000000000000/control', log).announce(ended);
    expect(bodies).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('says which it is, and nothing else, in words that the reconciler reads', async () => {
    await sqsNudger(`${endpoint.url}/000000000000/control`, log).announce(ended);
    await vi.waitFor(() => expect(bodies).toHaveLength(1));
    expect(JSON.parse(bodies[0] ?? '')).toEqual({ fireledger: 'notice', jobId: ended.jobId, run: ended.key });
    expect(readControlMessage(bodies[0] ?? '', {})).toEqual({ kind: 'notice', run: ended });
  });

  it('goes on when it can not, and says so in its log', async () => {
    await sqsNudger(`${endpoint.url}/000000000000/no-such-queue`, log).announce(ended);
    expect(problems).toEqual(['nobody will be told of a run but by the ledger']);
  });
});

it.each([
  ['no job', { fireledger: 'notice', run: ended.key }],
  ['no key', { fireledger: 'notice', jobId: 'a', run: 'yesterday' }],
  ['an id that no job has', { fireledger: 'notice', jobId: '../a', run: ended.key }],
])('an announcement with %s is none', (_what, message) => {
  expect(readControlMessage(JSON.stringify(message), {})).toBeNull();
});

it('a reconciler without its topic says at once what is missing', () => {
  expect(() => noticesTopicArn({})).toThrow(`missing environment: ${noticesTopicEnv}`);
  expect(Object.values<string>(env)).not.toContain(noticesTopicEnv);
});
