import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { minute } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { attemptOf, invoices, runOf, seed } from '../cli/seeded.ts';
import { at } from '../support/jobs.ts';
import { type Served, serve } from './served.ts';

const now = at('04:00');

async function seeded(): Promise<Served> {
  const ledger = memoryLedger();
  await seed(ledger, at('00:00'));
  return serve(ledger, () => now);
}

describe('who is answered', () => {
  test.each(['evil.example', '127.0.0.1', 'localhost', '127.0.0.1.evil.example'])(
    'no request whose Host is %j: its name was made to mean this machine',
    async (host) => {
      const { ask } = await seeded();
      expect(await ask('/', { headers: { host } })).toMatchObject({ status: 403 });
      const { text } = await ask('/api/now', { headers: { host } });
      expect(text).not.toContain('billing');
    },
  );

  test('both names of this machine, with the port', async () => {
    const { ask, port } = await seeded();
    expect((await ask('/', { headers: { host: `localhost:${port}` } })).status).toBe(200);
    expect((await ask('/', { headers: { host: `127.0.0.1:${port}` } })).status).toBe(200);
  });

  test('no other page, be it on this machine', async () => {
    const { ask, port } = await seeded();
    for (const origin of ['https://evil.example', `http://localhost:${port}`, 'http://127.0.0.1:1', 'null'])
      expect({ origin, ...(await ask('/api/now', { headers: { origin } })) }).toMatchObject({ status: 403 });
    for (const site of ['cross-site', 'same-site'])
      expect((await ask('/api/now', { headers: { 'sec-fetch-site': site } })).status).toBe(403);
    const own = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
    expect((await ask('/api/now', { headers: own })).status).toBe(200);
  });

  test('nothing is changed without the token of this start, and the page is told to load again', async () => {
    const { ask, token } = await seeded();
    const body = JSON.stringify({ jobId: invoices.id });
    for (const wrong of [undefined, '', 'x', `${token}x`, token.slice(1), 'é'.repeat(16)]) {
      const headers = {
        'content-type': 'application/json',
        ...(wrong !== undefined && { 'x-fireledger-token': Buffer.from(wrong).toString('latin1') }),
      };
      const { status, text } = await ask('/api/act/pause', { method: 'POST', headers, body });
      expect({ status, answer: JSON.parse(text) }).toMatchObject({ status: 403, answer: { reload: true } });
    }
    expect(token.length).toBeGreaterThan(20);
    expect((await seeded()).token).not.toBe(token);
  });
});

describe('every answer', () => {
  test.each(['/', '/console.js', '/console.css', '/api/now', '/api/nothing', '/api/jobs/nope', '/nothing'])(
    'has the headers by which nothing runs but our own script: %s',
    async (path) => {
      const { headers } = await (await seeded()).ask(path);
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  test('the page has no script and no style of its own', async () => {
    const { text } = await (await seeded()).ask('/');
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=|javascript:/);
  });

  test('is JSON where it tells what jobs wrote, as they wrote it', async () => {
    const script = '</script><script>alert(1)</script>\u2028<img src=x onerror=alert(1)>';
    const ledger = memoryLedger();
    await seed(ledger, at('00:00'));
    const failed = runOf(invoices, at('02:00'), {
      ...{ state: 'failed', reason: 'error', settledAt: at('02:01') },
      error: { name: script, message: script, stack: script },
      result: { [script]: script },
      attempts: [attemptOf(1, at('02:00'), { settledAt: at('02:01'), outcome: 'failed', requestId: script })],
      note: script,
    });
    await ledger.create(failed);
    const { ask } = await serve(ledger, () => now);
    const path = `/api/runs/${encodeURIComponent(`${invoices.id}#${failed.key}`)}`;
    const { headers, text } = await ask(path);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text)).toMatchObject({
      error: { name: script, message: script },
      record: { result: { [script]: script } },
    });
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('what can be asked', () => {
  test.each([
    ['POST', '/api/now'],
    ['PUT', '/'],
    ['DELETE', '/api/jobs/billing/send-invoices'],
    ['GET', '/api/act/pause'],
    ['OPTIONS', '/api/act/pause'],
  ])('%s %s is not: the method is another', async (method, path) => {
    const { status, headers } = await (await seeded()).ask(path, { method });
    expect({ status, allow: typeof headers.allow }).toEqual({ status: 405, allow: 'string' });
  });

  test.each([
    '/../../etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/console.js/../../package.json',
    '/api/jobs/../../../package.json',
    '//evil.example/api/now',
    '/api/nothing',
    '/api/now/more',
    '/api/job',
    '/api/jobs/__proto__',
    '/api/pools/constructor',
    '/main.ts',
  ])('no path but those that there are: %s', async (path) => {
    const { ask, reports } = await seeded();
    const { status, text } = await ask(path);
    expect({ status, isJson: 'error' in JSON.parse(text), reports }).toEqual({
      ...{ status: 404, isJson: true, reports: [] },
    });
  });

  test.each([
    ['/api/runs/%E0%A4%A', 400, 'the path is not encoded as it should be'],
    ['/api/runs/billing', 400, 'that names no run'],
    ['/api/timeline?from=yesterday', 400, 'from: "yesterday" is not a time'],
    ['/api/timeline?from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z', 400, 'from is not before to'],
    ['/api/timeline?from=1990-01-01T00:00:00Z', 400, 'a range has at most 400 days'],
    ['/api/timeline?job=billing/send-invoice', 404, 'did you mean billing/send-invoices?'],
    ['/api/ledger?from=2027-01-01T00:00:00Z&to=2027-01-02T00:00:00Z', 400, 'there is nothing to audit then'],
    ['/api/jobs/billing/send-invoice', 404, 'did you mean billing/send-invoices?'],
    ['/api/runs/billing%2Fsend-invoices%232026-12-01T23:00:00Z', 404, 'there is no run'],
  ])('what is asked wrongly is told: %s', async (path, status, says) => {
    const { ask, reports } = await seeded();
    const reply = await ask(path);
    expect({ status: reply.status, reports }).toEqual({ status, reports: [] });
    expect(JSON.parse(reply.text).error).toContain(says);
  });

  test('a body is JSON of at most 64 KB', async () => {
    const { ask, token } = await seeded();
    const post = (body: string, type = 'application/json') =>
      ask('/api/act/pause', {
        ...{ method: 'POST', body },
        headers: { 'x-fireledger-token': token, 'content-type': type },
      });
    expect((await post('{')).status).toBe(400);
    expect((await post('[1]')).status).toBe(400);
    expect((await post('null')).status).toBe(400);
    expect((await post('{"jobId":7}')).status).toBe(400);
    expect((await post('{"jobId":"billing/send-invoices","toString":1}')).status).toBe(400);
    expect((await post('{}', 'text/plain')).status).toBe(415);
    for (const length of [70_000, 400_000]) {
      const note = 'x'.repeat(length);
      expect((await post(JSON.stringify({ jobId: invoices.id, note }))).status).toBe(413);
    }
    const long = await post(JSON.stringify({ jobId: invoices.id, note: 'x'.repeat(2_000) }));
    expect(JSON.parse(long.text)).toEqual({ error: 'note has at most 1000 characters' });
  });

  test('a failure that nobody foresaw is told at the terminal, and not to the page', async () => {
    const ledger = Object.assign(memoryLedger(), {
      manifest: () => Promise.reject(new Error('secret-value at ledger.ts:12')),
    });
    const { ask, reports } = await serve(ledger, () => now);
    const { status, text } = await ask('/api/now');
    expect({ status, answer: JSON.parse(text) }).toEqual({
      status: 500,
      answer: { error: 'the console failed; its terminal tells how' },
    });
    expect(String(reports[0])).toContain('secret-value');
  });
});

describe('changes as they happen', () => {
  /** The next piece that the server tells. */
  function listening(port: number) {
    const pieces: string[] = [];
    let wake = () => {};
    const sent = request({ host: '127.0.0.1', port, path: '/api/live' }, (response) => {
      response.on('data', (chunk: Buffer) => {
        pieces.push(chunk.toString('utf8'));
        wake();
      });
      response.on('error', () => {});
    });
    sent.on('error', () => {});
    sent.end();
    const until = async (text: string) => {
      while (!pieces.join('').includes(text))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    };
    return { until, pieces, leave: () => sent.destroy() };
  }

  test('the ledger is looked at only while a page listens, which is told of a change', async () => {
    const ledger = memoryLedger();
    await seed(ledger, at('00:00'));
    let looks = 0;
    let looked = () => {};
    const reconciler = async () => {
      looks += 1;
      looked();
      return null;
    };
    const nextLook = () =>
      new Promise<void>((resolve) => {
        looked = resolve;
      });
    const { port } = await serve(ledger, () => now, { reconciler, pollMs: 5 });
    expect(looks).toBe(0);
    const page = listening(port);
    await page.until('retry: 2000');
    await nextLook();
    await nextLook();
    expect(page.pieces.join('')).not.toContain('changed');
    await ledger.setPause(invoices.id, { at: now, by: 'ops', note: '' });
    await page.until('event: changed');
    page.leave();
    const another = listening(port);
    await another.until('retry: 2000');
    await ledger.setPause(invoices.id, null);
    await another.until('event: changed');
    another.leave();
  });

  test('who has left is listened to no more, though it asked many times on one connection', async () => {
    const { port } = await seeded();
    const asked = `GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    for (let round = 0; round < 5; round += 1) {
      const crowd = connect(port, '127.0.0.1', () => crowd.write(asked.repeat(15)));
      await new Promise((told) => crowd.once('data', told));
      crowd.destroy();
    }
    const ask = () =>
      new Promise<IncomingMessage>((told, failed) => {
        request({ host: '127.0.0.1', port, path: '/api/live', agent: false }, told).on('error', failed).end();
      });
    const statuses = async () => {
      const pages = await Promise.all(Array.from({ length: 40 }, ask));
      for (const page of pages) page.destroy();
      return new Set(pages.map(({ statusCode }) => statusCode));
    };
    await expect.poll(statuses, { timeout: 5_000 }).toEqual(new Set([200]));
  });

  test('a ledger that is lost is told, once, and when it is there again', async () => {
    const ledger = memoryLedger();
    await seed(ledger, at('00:00'));
    let isGone = true;
    const reconciler = async () => {
      if (isGone) throw new Error('gone');
      return null;
    };
    const { port, reports } = await serve(ledger, () => now + minute, { reconciler, pollMs: 5 });
    const page = listening(port);
    await page.until('event: lost');
    isGone = false;
    await page.until('event: changed');
    page.leave();
    expect(reports).toHaveLength(1);
    expect(String(reports[0])).toContain('gone');
  });
});
