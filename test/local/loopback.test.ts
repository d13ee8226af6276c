import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDynalite } from '../../functions/local/dynamodb/dynalite.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { type Endpoint, startEndpoint } from '../../functions/local/endpoint/endpoint.ts';

let dynalite: DynamoDb;
let dynamo: DynamoDb;
let endpoint: Endpoint;

beforeAll(async () => {
  dynalite = await startDynalite();
  dynamo = await startDynamoDb();
  endpoint = await startEndpoint({
    dynamoDb: dynamo.endpoint,
    queues: {},
    invoke: () => Promise.reject(new Error('nothing is invoked')),
    onMetrics: () => {},
    onPublish: () => {},
    secrets: { valueOf: () => undefined, remedyFor: () => '' },
  });
});
afterAll(async () => {
  await endpoint.close();
  await dynamo.close();
  await dynalite.close();
});

const listTables = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20261130/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20261130T190000Z',
  'x-amz-target': 'DynamoDB_20120810.ListTables',
};

/** Not `fetch`, which sets Host by itself. */
async function ask(url: string, method: string, headers: Record<string, string>) {
  const sent = request(url, { method, headers: { ...listTables, ...headers } }).end('{}');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const body = (await answer.setEncoding('utf8').toArray()).join('');
  return { status: answer.statusCode, headers: answer.headers, body };
}

describe.each([
  ['the endpoint', () => endpoint.url],
  ['dynalite', () => dynalite.endpoint],
])('%s, which a web page in a browser on this machine can reach', (_, url) => {
  it.each([
    ['of another site', 'POST', { origin: 'https://example.com' }],
    ['of no site', 'POST', { origin: 'null', 'content-type': 'text/plain' }],
    ['that asks whether it may', 'OPTIONS', { origin: 'https://example.com' }],
    ['whose own name was made to mean 127.0.0.1', 'POST', { host: 'rebound.example.com' }],
    ['of another port here', 'POST', { host: '127.0.0.1:1' }],
  ])('refuses one %s', async (_who, method, headers) => {
    const answer = await ask(url(), method, headers as unknown as Record<string, string>);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toEqual({
      __type: 'AccessDeniedException',
      message: expect.stringMatching(
        /^(Web pages are not served|Only 127\.0\.0\.1:\d+ and localhost:\d+ are)/,
      ),
    });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it.each(['127.0.0.1', 'localhost'])(
    'serves programs that call it %s, and allows no page anything',
    async (name) => {
      const { port } = new URL(url());
      const answer = await ask(url(), 'POST', { host: `${name}:${port}` });
      expect(answer).toMatchObject({ status: 200, body: '{"TableNames":[]}' });
      expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control-'))).toEqual(
        [],
      );
    },
  );
});
