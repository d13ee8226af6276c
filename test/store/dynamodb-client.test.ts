import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { createLedgerTable, dynamoLedger, ledgerClient } from '../../functions/store/dynamodb/index.ts';
import { claim, fireTime, record } from '../support/ledger-records.ts';

/** A server that takes connections and never answers. */
async function silentServer(): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

describe('the client of the ledger', () => {
  it('fails a claim closed when nothing answers, after three tries', async () => {
    const client = ledgerClient({ endpoint: await silentServer(), requestTimeoutMs: 30 });
    onTestFinished(() => client.destroy());
    const { run, effect } = claim('a');
    const failed = dynamoLedger({ client, table: 'ledger' }).create(run, effect);
    await expect(failed).rejects.toMatchObject({ name: 'TimeoutError', $metadata: { attempts: 3 } });
  });

  it('waits a second for a connection and two for an answer unless told otherwise', async () => {
    const client = ledgerClient({ endpoint: 'http://127.0.0.1:1' });
    onTestFinished(() => client.destroy());
    const ledger = dynamoLedger({ client, table: 'ledger' });
    await expect(ledger.job('unreachable')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const handler = client.config.requestHandler as { httpHandlerConfigs?: () => object };
    const patience = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };
    expect(handler.httpHandlerConfigs?.()).toMatchObject(patience);
  });

  it('goes where AWS_ENDPOINT_URL says', async () => {
    const { endpoint, close } = await startDynamoDb();
    onTestFinished(close);
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'dummy');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'dummy');
    onTestFinished(() => void vi.unstubAllEnvs());
    const client = ledgerClient();
    onTestFinished(() => client.destroy());
    await createLedgerTable(client, 'ledger');
    const ledger = dynamoLedger({ client, table: 'ledger' });
    expect(await ledger.create(record(fireTime))).toEqual({ kind: 'done' });
  });
});
