import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import type { View } from '../../functions/console/api/view.ts';
import { type ConsoleOptions, serveConsole } from '../../functions/console/server/serve.ts';
import { countedTokens } from '../support/jobs.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Served {
  readonly port: number;
  readonly url: string;
  /** What the page was not told. */
  readonly reports: unknown[];
  readonly nudges: string[];
  readonly token: string;
  ask(path: string, asked?: Asked): Promise<Reply>;
  /** The answer of a view. */
  get<T>(path: string): Promise<T>;
  /** Does what a button does: status and answer. */
  act<T = Record<string, unknown>>(verb: string, body: unknown): Promise<{ status: number; answer: T }>;
  close(): Promise<void>;
}

/** The console's server on a ledger, at a time that a test moves. It ends with the test. */
export async function serve(
  ledger: View['place']['ledger'],
  clock: () => number,
  more: Partial<ConsoleOptions> & { readonly reconciler?: View['place']['reconciler'] } = {},
): Promise<Served> {
  const reports: unknown[] = [];
  const nudges: string[] = [];
  const { reconciler = async () => null, ...options } = more;
  const { port, url, close } = await serveConsole({
    place: { ledger, reconciler, retentionDays: 400, name: 'the test’s ledger' },
    clock,
    operator: {
      ...{ ledger, clock, drawToken: countedTokens('token'), by: 'ops' },
      nudge: async (why) => void nudges.push(why),
    },
    sleep: async () => {},
    bundle: { js: 'void 0;', css: ':root {}' },
    report: (error) => void reports.push(error),
    ...options,
  });
  onTestFinished(close);
  const ask = (path: string, asked: Asked = {}) => send(port, path, asked);
  const token = /name="fireledger-token" content="([^"]+)"/.exec((await ask('/')).text)?.[1] ?? '';
  return {
    ...{ port, url, reports, nudges, token, ask, close },
    get: async (path) => JSON.parse((await ask(path)).text),
    act: async (verb, body) => {
      const headers = { 'x-fireledger-token': token, 'content-type': 'application/json' };
      const { status, text } = await ask(`/api/act/${verb}`, {
        ...{ method: 'POST', headers },
        body: JSON.stringify(body),
      });
      return { status, answer: JSON.parse(text) };
    },
  };
}

/** As it is said: a `fetch` would mend the path and refuse the headers. */
function send(port: number, path: string, { method = 'GET', headers = {}, body }: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          ...{ status: response.statusCode ?? 0, headers: response.headers },
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
