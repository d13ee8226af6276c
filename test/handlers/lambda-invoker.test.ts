import { createServer } from 'node:http';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { functionName } from '../../functions/domain/names.ts';
import { stacksOf } from '../../functions/domain/placement.ts';
import { lambdaInvoker } from '../../functions/handlers/lambda-invoker.ts';

const jobId = 'billing/send-invoices';
const offered = { jobId, key: '2026-12-01T12:00:00Z', token: 'of-the-offer', attempts: [] };
const places = (jobStacks: number) =>
  stacksOf(jobId, jobStacks).map((stack) => functionName('dev', jobId, stack));

afterEach(() => vi.unstubAllEnvs());

/** A Lambda that answers with a status; which functions were asked for, and with what. */
async function lambda(answer: (name: string) => { status: number; error?: string }) {
  const asked: { name: string; type: unknown; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const name = /functions\/([^/]+)\/invocations$/.exec(request.url ?? '')?.[1] ?? '';
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ name, type: request.headers['x-amz-invocation-type'], body });
    const { status, error } = answer(name);
    response.writeHead(status, error === undefined ? {} : { 'x-amzn-errortype': error }).end('{}');
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close().closeAllConnections());
  const address = server.address();
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  return asked;
}

const missing = { status: 404, error: 'ResourceNotFoundException' };

test('an offer goes to the function in the first stack of its job, as an event, and nowhere else', async () => {
  const asked = await lambda(() => ({ status: 202 }));
  await lambdaInvoker('dev', 5).invoke(offered);
  expect(asked.map(({ name, type }) => [name, type])).toEqual([[places(5)[0], 'Event']]);
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    ...{ fireledger: 'offer', jobId, run: offered.key, token: 'of-the-offer', attempt: 1 },
  });
});

test('while that isn’t there yet, it goes to where the job was before it moved', async () => {
  const [first, second] = places(5);
  const asked = await lambda((name) => (name === first ? missing : { status: 202 }));
  await lambdaInvoker('dev', 5).invoke(offered);
  expect(asked.map(({ name }) => name)).toEqual([first, second]);
});

test('a job that isn’t deployed costs four requests, however many stacks there are, and is told by its name', async () => {
  const asked = await lambda(() => missing);
  await expect(lambdaInvoker('dev', 20).invoke(offered)).rejects.toThrow(
    `${places(20)[0]} is not there; if no deploy is under way, deploy the stacks of the jobs`,
  );
  expect(asked.map(({ name }) => name)).toEqual(places(20).slice(0, 4));
});

test('an invocation that fails otherwise is not tried elsewhere: it may have been accepted', async () => {
  const asked = await lambda(() => ({ status: 403, error: 'AccessDeniedException' }));
  await expect(lambdaInvoker('dev', 5).invoke(offered)).rejects.toThrow();
  expect(new Set(asked.map(({ name }) => name))).toEqual(new Set([places(5)[0]]));
});
