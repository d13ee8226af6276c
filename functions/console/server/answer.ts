import type { ServerResponse } from 'node:http';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** On every answer: nothing runs but our own script, no other page sees anything of it, and nothing is kept. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export interface Answer {
  readonly status: number;
  readonly type: 'text/html' | 'text/javascript' | 'text/css' | 'application/json';
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function json(value: unknown, status = 200): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}

export function send(response: ServerResponse, { status, type, body, headers }: Answer): void {
  response.writeHead(status, {
    ...safeHeaders,
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
