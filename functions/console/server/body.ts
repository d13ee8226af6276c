import type { IncomingMessage } from 'node:http';
import { BadRequest } from './failure.ts';

const mostBytes = 64 * 1024;

/** @throws BadRequest for what is no JSON, or too much */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type']?.split(';')[0]?.trim();
  if (type !== 'application/json') throw new BadRequest(415, 'the body must be application/json');
  const chunks: Buffer[] = [];
  let size = 0;
  // What is left of one that is too long stays unread, and the connection open for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new BadRequest(413, `the body has more than ${mostBytes / 1024} KB`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new BadRequest(400, 'the body is no JSON');
  }
}
