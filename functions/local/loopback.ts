import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** AWS refuses larger requests too; nothing that we serve comes near it. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface LoopbackServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `listener` on 127.0.0.1 only, and to programs only: what a web page may have sent is refused. Port 0 takes any
 * free one. Rejects with one clear message when the port is busy.
 */
export async function listenOnLoopback(listener: RequestListener, port = 0): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    const why = refusal(request);
    if (why === null) listener(request, response);
    else refuse(response, why);
  });
  // Never close an idle connection: a client that reuses it at that moment would see a reset.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  return bindToLoopback(server, port);
}

/** Serves on 127.0.0.1 only, whoever asks: the server itself tells a page of another site from its own. Rejects as the above. */
export async function bindToLoopback(server: Server, port = 0): Promise<LoopbackServer> {
  await bind(server, port);
  const bound = (server.address() as AddressInfo).port;
  return { port: bound, url: `http://127.0.0.1:${bound}`, close: () => shut(server) };
}

/**
 * Loopback is no wall against a browser on this machine. A page of another site says so in Origin, and one whose own
 * name was made to mean 127.0.0.1 (DNS rebinding) gives itself away by that name. Null: no page sent it.
 */
function refusal({ headers, socket }: IncomingMessage): string | null {
  const own = ['127.0.0.1', 'localhost'].map((name) => new URL(`http://${name}:${socket.localPort}`).host);
  if (headers.origin !== undefined)
    return 'Web pages are not served: the request has an Origin. Call from a program instead.';
  if (own.includes(headers.host ?? '')) return null;
  return `Only ${own.join(' and ')} are served: the request's Host is another.`;
}

function refuse(response: ServerResponse, message: string): void {
  const type = 'AccessDeniedException';
  // What is still to come of its body is not read.
  response.writeHead(403, {
    'content-type': 'application/json',
    'x-amzn-errortype': type,
    connection: 'close',
  });
  response.end(JSON.stringify({ __type: type, message }));
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainBind(error, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
}

function explainBind(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${port} on 127.0.0.1 is in use. Choose another, or 0 for any free one.`, {
      cause: error,
    });
  }
  if (error.code === 'EACCES') {
    return new Error(`Port ${port} needs privileges. Choose one from 1024 to 65535, or 0 for any free one.`, {
      cause: error,
    });
  }
  return error;
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The whole body of a request. Throws a RangeError above 16 MiB. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RangeError(`Request body over ${MAX_BODY_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
