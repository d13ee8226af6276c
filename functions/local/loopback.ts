import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** AWS refuses larger requests too; nothing that we serve comes near it. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface LoopbackServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `listener` on 127.0.0.1 only; port 0 takes any free one. Rejects with one clear message when the port is busy. */
export async function listenOnLoopback(listener: RequestListener, port = 0): Promise<LoopbackServer> {
  const server = createServer(listener);
  // Never close an idle connection: a client that reuses it at that moment would see a reset.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  await bind(server, port);
  const bound = (server.address() as AddressInfo).port;
  return { port: bound, url: `http://127.0.0.1:${bound}`, close: () => shut(server) };
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
