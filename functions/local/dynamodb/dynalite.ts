import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback, readBody } from '../loopback.ts';
import { DynaliteApi } from './dynalite-api.ts';
import { DynaliteEngine, type Wire } from './dynalite-engine.ts';
import { DynamoDbError, isWireError } from './dynamodb-error.ts';
import type { DynamoDb } from './start.ts';

const TARGET = /^DynamoDB_20120810\.(\w+)$/;

/** Serves dynalite, with what it lacks, on loopback. `path`: a folder for LevelDB; in memory without. */
export async function startDynalite(path?: string, now: () => number = Date.now): Promise<DynamoDb> {
  const engine = new DynaliteEngine(path);
  await engine.open();
  const api = new DynaliteApi(engine, now);
  const server = await listenOnLoopback((request, response) => {
    serve(api, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  return {
    endpoint: server.url,
    engine: 'dynalite',
    close: async () => {
      await server.close();
      await engine.close();
    },
  };
}

async function serve(api: DynaliteApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') return send(response, 200, { status: 'healthy' });
  const body = await readBody(request);
  try {
    const { operation, input } = read(request, body);
    send(response, 200, await api.handle(operation, input));
  } catch (error) {
    if (isWireError(error)) return send(response, error.statusCode, error.body);
    const message = error instanceof Error ? error.message : String(error);
    send(response, 500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message });
  }
}

function read(request: IncomingMessage, body: Buffer): { operation: string; input: Wire } {
  const operation = TARGET.exec(String(request.headers['x-amz-target']))?.[1];
  if (operation === undefined)
    throw new DynamoDbError('UnknownOperationException', 'No DynamoDB_20120810 action named');
  try {
    return { operation, input: JSON.parse(body.toString()) as Wire };
  } catch {
    throw new DynamoDbError('SerializationException', 'The request body is not JSON');
  }
}

function send(response: ServerResponse, status: number, body: Wire): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
