import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { dynoxideBinary } from '../../functions/local/dynamodb/dynoxide.ts';
import { startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { createLedgerTable, dynamoLedger, ledgerClient } from '../../functions/store/dynamodb/index.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { disturb } from './ledger-faults.ts';

/** An empty ledger, and a way to have an answer lost. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  openAuthorsTable(): Promise<AuthorsTable>;
  /** The next write is decided, and its caller does not hear of it. */
  loseNextAnswer(): void;
  close(): void;
}

/** A table that authors write to, with the keys pk and sk. */
export interface AuthorsTable {
  readonly authorsTable: string;
  /** What is in it, in the order of pk. */
  authorsItems(): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** A ledger's engine, started once for many ledgers. */
export interface LedgerEngine {
  open(): Promise<LedgerUnderTest>;
  stop(): Promise<void>;
}

export interface NamedEngine {
  readonly name: string;
  /** Why it can't be had here; absent when it can. */
  readonly missing?: string;
  start(): Promise<LedgerEngine>;
}

export function ledgerEngines(): NamedEngine[] {
  return [{ name: 'memory', start: startMemory }, ...dynamoDbEngines(), moto()];
}

function dynamoDbEngines(): NamedEngine[] {
  if (process.env.DYNAMODB_ENDPOINT) return [{ name: 'DYNAMODB_ENDPOINT', start: () => startEngine({}) }];
  const native: NamedEngine = { name: 'dynoxide', start: () => startEngine({ engine: 'dynoxide' }) };
  return [
    dynoxideBinary() === undefined ? { ...native, missing: 'npm has no binary for this machine' } : native,
    { name: 'dynalite', start: () => startEngine({ engine: 'dynalite' }) },
  ];
}

async function startEngine(options: Parameters<typeof startDynamoDb>[0]): Promise<LedgerEngine> {
  const { endpoint, close } = await startDynamoDb(options);
  return dynamoEngine(endpoint, close);
}

async function startMemory(): Promise<LedgerEngine> {
  return {
    open: async () => {
      const ledger = memoryLedger();
      const authorsItems = async () => inOrder(ledger.tables.items.authors ?? []);
      const openAuthorsTable = async () => ({ authorsTable: 'authors', authorsItems });
      return { ...losingAnswers(ledger), openAuthorsTable, close: () => {} };
    },
    stop: async () => {},
  };
}

function inOrder<T extends Readonly<Record<string, unknown>>>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (String(a.pk) < String(b.pk) ? -1 : 1));
}

/** The same as `disturb`, for a ledger without a client. */
function losingAnswers(ledger: Ledger): Pick<LedgerUnderTest, 'ledger' | 'loseNextAnswer'> {
  let losing = false;
  const lossy = new Proxy(ledger, {
    get(target, verb: keyof Ledger) {
      const act = target[verb].bind(target) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        const answer = act(...args);
        if (!losing) return answer;
        losing = false;
        return Promise.reject(new Error('The answer was lost.'));
      };
    },
  });
  return {
    ledger: lossy,
    loseNextAnswer: () => {
      losing = true;
    },
  };
}

let tables = 0;

export interface LedgerTable {
  readonly client: DynamoDBClient;
  readonly table: string;
}

/** A new table of its own on an endpoint, with the patience that a crowded machine needs. */
export async function newLedgerTable(
  endpoint: string,
  options: { maxSockets?: number } = {},
): Promise<LedgerTable> {
  const patience = { connectionTimeoutMs: 20_000, requestTimeoutMs: 60_000 };
  const client = ledgerClient({ endpoint, ...patience, ...options });
  tables += 1;
  const table = `ledger-${process.pid}-${tables}`;
  await createLedgerTable(client, table);
  return { client, table };
}

function dynamoEngine(
  endpoint: string,
  stop: () => Promise<void>,
  options: { maxSockets?: number } = {},
): LedgerEngine {
  return {
    stop,
    async open() {
      const { client, table } = await newLedgerTable(endpoint, options);
      let losing = false;
      disturb(client, 'command', () => {
        const fault = losing ? 'lost-answer' : 'none';
        losing = false;
        return fault;
      });
      return {
        ledger: dynamoLedger({ client, table }),
        loseNextAnswer: () => {
          losing = true;
        },
        openAuthorsTable: () => openAuthorsTable(endpoint, options),
        close: () => client.destroy(),
      };
    },
  };
}

async function openAuthorsTable(endpoint: string, options: { maxSockets?: number }): Promise<AuthorsTable> {
  const { client, table } = await newLedgerTable(endpoint, options);
  onTestFinished(() => client.destroy());
  const authorsItems = async () => {
    const { Items: items = [] } = await client.send(new ScanCommand({ TableName: table }));
    return inOrder(items.map((item) => unmarshall(item)));
  };
  return { authorsTable: table, authorsItems };
}

/** A third party's idea of DynamoDB, where it is installed. It ignores request tokens, so writers must know themselves. */
function moto(): NamedEngine {
  const there = spawnSync('moto_server', ['--help'], { stdio: 'ignore' }).status === 0;
  return {
    name: 'moto_server',
    start: startMoto,
    ...(there ? {} : { missing: 'it is not on PATH (pip install "moto[server,dynamodb]")' }),
  };
}

/** It serves each request in a thread of its own and locks nothing: two conditions may hold before either is written. */
const oneAtATime = { maxSockets: 1 };

async function startMoto(): Promise<LedgerEngine> {
  const port = await freePort();
  const server = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  await untilAnswering(endpoint, server);
  const stop = async () => {
    server.kill();
    await once(server, 'exit');
  };
  return dynamoEngine(endpoint, stop, oneAtATime);
}

async function untilAnswering(endpoint: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 250; tries += 1) {
    if (server.exitCode !== null) throw new Error(`moto_server ended with ${server.exitCode}`);
    const [answer] = await Promise.allSettled([fetch(endpoint)]);
    if (answer.status === 'fulfilled') return;
    await delay(100);
  }
  server.kill();
  throw new Error(`moto_server did not answer at ${endpoint}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
