import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../functions/example/fixture-server.ts';

let server: FixtureServer;

beforeAll(async () => {
  server = await startFixtureServer();
});
afterAll(() => server.close());

const post = (headers: Record<string, string>, body: string) =>
  fetch(`${server.origin}/invoices`, { method: 'POST', headers, body });

test('it listens on loopback alone', () => {
  expect(new URL(server.origin).hostname).toBe('127.0.0.1');
});

test('an invoice under a key that was used is answered well and not sent again', async () => {
  const statuses = [];
  for (const key of ['a', 'a', 'b']) {
    statuses.push((await post({ 'idempotency-key': key }, '{"invoice":"1"}')).status);
  }
  expect(statuses).toEqual([202, 200, 202]);
  expect(server.mails.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['a', 'b']);
});

test('what it cannot take is refused, and nothing is sent', async () => {
  const before = server.mails.length;
  expect((await post({}, '{}')).status).toBe(400);
  expect((await post({ 'idempotency-key': 'c' }, '{')).status).toBe(400);
  expect((await fetch(`${server.origin}/elsewhere`)).status).toBe(404);
  expect(server.mails).toHaveLength(before);
});
