import { expect, test } from 'vitest';
import { fakeFetch } from '../../functions/testing/index.ts';

const url = 'https://api.example.com/rates';

test('a faked Response may be read twice, and its body canceled', async () => {
  const fetch = fakeFetch({
    [`GET ${url}`]: new Response('1.1', { status: 503, headers: { 'retry-after': '9' } }),
  });
  const first = await fetch(url);
  await first.body?.cancel();
  const second = await fetch(url);
  expect([second.status, second.headers.get('retry-after'), await second.text()]).toEqual([503, '9', '1.1']);
});

test('a faked Response may have no body', async () => {
  const fetch = fakeFetch({ [`DELETE ${url}`]: new Response(null, { status: 204 }) });
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(204);
});
