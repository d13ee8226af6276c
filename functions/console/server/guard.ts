import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Loopback is no wall against a browser on this machine. A page of another site says so in Origin or Sec-Fetch-Site, and one whose
 * own name was made to mean 127.0.0.1 (DNS rebinding) gives itself away by that name. Null: it is our page, or a program.
 */
export function strangerSays({ headers, socket, url }: IncomingMessage): string | null {
  const own = ['127.0.0.1', 'localhost'].map((name) => new URL(`http://${name}:${socket.localPort}`).host);
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (!own.includes(host)) return `only ${own.join(' and ')} are served: the request's Host is another`;
  if (origin !== undefined && origin !== `http://${host}`) return 'the request comes from another page';
  // Whoever follows a link to the page only sees the page.
  const isOwnPage = site === undefined || site === 'same-origin' || site === 'none' || url === '/';
  return isOwnPage ? null : 'the request comes from another page';
}

/** Whether a request that changes something has the token of this start, which only our page can read. */
export function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(String(headers['x-fireledger-token'] ?? ''));
  const own = Buffer.from(token);
  return given.length === own.length && timingSafeEqual(given, own);
}
