import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fixturePaths } from './addresses.ts';

/** A mail that the fixture server would have sent. */
export interface SentMail {
  readonly idempotencyKey: string;
  readonly invoice: unknown;
}

/** Stands in for everything outside: nothing leaves this machine. */
export interface FixtureServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** What went out, oldest first. Kept in memory only. */
  readonly mails: readonly SentMail[];
  forgetMails(): void;
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts the server on a free port of the loopback interface. */
export async function startFixtureServer(): Promise<FixtureServer> {
  const mails = new Map<string, SentMail>();
  const routes = new Map<string, Answer>([
    [`GET ${fixturePaths.rates}`, serveRates],
    [`POST ${fixturePaths.invoices}`, (request, response) => takeInvoice(mails, request, response)],
    ['GET /health/ok', (_request, response) => answer(response, 200, { status: 'ok' })],
    ['GET /health/failing', (_request, response) => answer(response, 503, { status: 'failing' })],
    // Never answers: how long is too long is for the client to say.
    ['GET /health/slow', () => undefined],
  ]);
  const server = createServer((request, response) => {
    const route = routes.get(`${request.method} ${request.url}`);
    if (!route) return answer(response, 404, { error: `nothing at ${request.method} ${request.url}` });
    Promise.resolve(route(request, response)).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fixture server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    get mails() {
      return [...mails.values()];
    },
    forgetMails: () => mails.clear(),
    close() {
      server.closeAllConnections();
      return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
    },
  };
}

async function serveRates(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  const xml = await readFile(new URL('./eurofxref-daily.xml', import.meta.url));
  response.writeHead(200, { 'content-type': 'text/xml' }).end(xml);
}

/** As mail services do it: what was sent under a key is never sent again, and the repeat gets an answer as good. */
async function takeInvoice(mails: Map<string, SentMail>, request: IncomingMessage, response: ServerResponse) {
  const idempotencyKey = request.headers['idempotency-key'];
  if (typeof idempotencyKey !== 'string')
    return answer(response, 400, { error: 'Idempotency-Key is missing' });
  const invoice = parsed((await buffer(request)).toString());
  if (invoice === undefined) return answer(response, 400, { error: 'The invoice is not JSON' });
  if (mails.has(idempotencyKey)) return answer(response, 200, { sent: 'before' });
  mails.set(idempotencyKey, { idempotencyKey, invoice });
  answer(response, 202, { sent: 'now' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
