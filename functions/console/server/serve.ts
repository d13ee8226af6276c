import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../../domain/ports.ts';
import { bindToLoopback, type LoopbackServer } from '../../local/loopback.ts';
import { act, type Hand } from '../api/act.ts';
import { backfillFeeds } from '../api/feeds.ts';
import type { View } from '../api/view.ts';
import type { Bundle } from '../bundle.ts';
import { type Answer, json, send } from './answer.ts';
import { readJson } from './body.ts';
import { BadRequest, failure } from './failure.ts';
import { hasToken, strangerSays } from './guard.ts';
import { type Live, liveChanges } from './live.ts';
import { pageHtml, type Start } from './page.ts';
import { viewAt } from './routes.ts';

export interface ConsoleOptions extends Pick<Hand, 'operator' | 'jobsDir' | 'sleep' | 'unreadable'> {
  readonly place: View['place'];
  readonly clock: Clock;
  readonly bundle: Bundle;
  /** @default 0: any free one */
  readonly port?: number | undefined;
  /** By which `fl` reads the same ledger: `--stage prod`. @default none */
  readonly flOptions?: string;
  /** By which a person starts it again on the port that it has, told while it can't be reached. @default `npm start` */
  readonly command?: ((port: number) => string) | undefined;
  /** Told of failures that nobody foresaw; the page isn't. */
  readonly report: (error: unknown) => void;
  /** How often the ledger is looked at while a page listens. @default 2 s, of a deployed stage 10 s */
  readonly pollMs?: number;
}

interface Serving extends ConsoleOptions, Pick<Hand, 'feeds'> {
  readonly token: string;
  readonly live: Live;
}

/** Serves the console on 127.0.0.1, to its own page and to programs on this machine. */
export async function serveConsole(options: ConsoleOptions): Promise<LoopbackServer> {
  const { place, clock, report, pollMs } = options;
  const token = randomBytes(24).toString('base64url');
  const feeds = backfillFeeds();
  const live = liveChanges({ view: () => ({ place, now: clock() }), report, everyMs: pollMs });
  const serving = { ...options, token, live, feeds };
  const server = createServer((request, response) => void serve(serving, request, response));
  const bound = await bindToLoopback(server, options.port);
  return {
    ...bound,
    close: async () => {
      live.close();
      await Promise.all([feeds.close(), bound.close()]);
    },
  };
}

async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const stranger = strangerSays(request);
  if (stranger !== null) return refuse(response, json({ error: stranger }, 403));
  try {
    const url = urlOf(request);
    if (url.pathname === '/api/live' && request.method === 'GET') {
      if (serving.live.listen(response)) return;
      throw new BadRequest(503, 'too many pages listen already: close some');
    }
    send(response, await answer(serving, request, url));
  } catch (error) {
    refuse(response, failure(error, serving.report));
  }
}

function urlOf({ url = '/' }: IncomingMessage): URL {
  const parsed = url.startsWith('/') ? URL.parse(`http://127.0.0.1${url}`) : null;
  if (parsed === null) throw new BadRequest(400, 'the request names no path');
  return parsed;
}

/** What is still to come of its body is not read. */
function refuse(response: ServerResponse, answer: Answer): void {
  send(response, { ...answer, headers: { ...answer.headers, connection: 'close' } });
}

const actPath = /^\/api\/act\/([a-z]+)$/;

async function answer(serving: Serving, request: IncomingMessage, url: URL): Promise<Answer> {
  const verb = actPath.exec(url.pathname)?.[1];
  if (verb !== undefined) return answerAct(serving, request, verb);
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed('GET, HEAD');
  const { place, clock, bundle, feeds } = serving;
  switch (url.pathname) {
    case '/':
      return { status: 200, type: 'text/html', body: pageHtml(startOf(serving, request)) };
    case '/console.js':
      return { status: 200, type: 'text/javascript', body: bundle.js };
    case '/console.css':
      return { status: 200, type: 'text/css', body: bundle.css };
  }
  const view = viewAt({ place, now: clock(), feeds }, url);
  return view === undefined ? json({ error: 'there is nothing here' }, 404) : json(await view);
}

async function answerAct(serving: Serving, request: IncomingMessage, verb: string): Promise<Answer> {
  if (request.method !== 'POST') return notAllowed('POST');
  if (!hasToken(request, serving.token))
    return json({ error: 'the console was started anew: load the page again', reload: true }, 403);
  const body = await readJson(request);
  serving.live.hurry();
  return json(await act(serving, verb, body));
}

function startOf(serving: Serving, { socket }: IncomingMessage): Start {
  const { token, place, bundle, flOptions = '', command } = serving;
  const version = createHash('sha256').update(bundle.js).update(bundle.css).digest('base64url').slice(0, 16);
  const again = command?.(socket.localPort ?? 0) ?? 'npm start';
  const { name, stage = '' } = place;
  return { token, place: name, stage, options: flOptions, command: again, version };
}

function notAllowed(allow: string): Answer {
  return { ...json({ error: `only ${allow} is answered here` }, 405), headers: { allow } };
}
