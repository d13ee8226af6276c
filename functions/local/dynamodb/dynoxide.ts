import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeDraft } from '../draft.ts';
import { spawnLeashed } from '../leash.ts';
import { identify, isAlive, isIdentity, type ProcessIdentity } from '../process-identity.ts';
import type { DynamoDb } from './start.ts';

/** Another process may take the port between our choosing it and the emulator's binding it. */
const PORT_TRIES = 10;
const CLOSE_GRACE_MS = 2_000;

export interface DynoxideOptions {
  readonly binary: string;
  readonly file?: string;
  readonly onExit?: (message: string) => void;
}

/** The path of the native emulator, undefined where npm has none for this machine. */
export function dynoxideBinary(): string | undefined {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`);
    const binary = join(dirname(manifest), 'dynoxide');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

export async function startDynoxide(options: DynoxideOptions): Promise<DynamoDb> {
  makeExecutable(options.binary);
  if (options.file !== undefined) await endOrphan(options.file);
  for (let tries = 1; ; tries += 1) {
    const host = hiddenHost();
    const started = await tryStart(options, { host, port: await freePort(host) });
    if ('endpoint' in started) return started;
    if (!started.portTaken || tries === PORT_TRIES) throw new Error(started.message);
  }
}

function makeExecutable(binary: string): void {
  try {
    accessSync(binary, constants.X_OK);
  } catch {
    chmodSync(binary, 0o755);
  }
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * The emulator answers any web page that finds it, and checks no signature: so it is put where a page would have to
 * guess it, among the 16 million addresses that Linux has on loopback. Other systems have but one.
 */
function hiddenHost(): string {
  if (process.platform !== 'linux') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

interface Refused {
  readonly portTaken: boolean;
  readonly message: string;
}

async function tryStart(options: DynoxideOptions, address: Address): Promise<DynamoDb | Refused> {
  const { binary, file, onExit } = options;
  const place = file === undefined ? [] : ['--db-path', file];
  const child = spawnLeashed({
    program: binary,
    args: ['--host', address.host, '--port', String(address.port), ...place],
  });
  child.stdout?.resume();
  const said = await untilListening(child);
  if (!said.listening) {
    return { portTaken: said.text.includes('already in use'), message: `DynamoDB emulator: ${said.text}` };
  }
  const endpoint = `http://${address.host}:${address.port}`;
  await untilHealthy(endpoint);
  if (file !== undefined && child.pid !== undefined) {
    writeHolders(file, { emulator: identify(child.pid), owner: identify(process.pid) });
  }
  return running(child, endpoint, file, onExit);
}

function untilListening(child: ChildProcess): Promise<{ listening: boolean; text: string }> {
  return new Promise((resolve) => {
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('listening on')) resolve({ listening: true, text });
    });
    child.once('error', (error) => resolve({ listening: false, text: error.message }));
    child.once('close', (code) =>
      resolve({ listening: false, text: text.trim() || `ended with code ${code}` }),
    );
  });
}

async function untilHealthy(endpoint: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await isHealthy(endpoint)) return;
    await delay(5);
  }
  throw new Error('DynamoDB emulator: started, but never answered.');
}

async function isHealthy(endpoint: string): Promise<boolean> {
  try {
    const response = await fetch(endpoint, { headers: { connection: 'close' } });
    return (await response.text()).includes('healthy');
  } catch {
    return false;
  }
}

function running(
  child: ChildProcess,
  endpoint: string,
  file: string | undefined,
  onExit: ((message: string) => void) | undefined,
): DynamoDb {
  let closing = false;
  const ended = once(child, 'exit').then(([code, signal]) => {
    if (file !== undefined) rmSync(pidFile(file), { force: true });
    if (!closing) onExit?.(`The DynamoDB emulator ended unasked (${signal ?? `code ${code}`}).`);
  });
  child.stderr?.resume();
  return {
    endpoint,
    engine: 'dynoxide',
    close: async () => {
      closing = true;
      child.kill('SIGTERM');
      const impatient = setTimeout(() => child.kill('SIGKILL'), CLOSE_GRACE_MS);
      await ended;
      clearTimeout(impatient);
    },
  };
}

async function freePort(host: string): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error(`No free port on ${host}.`);
  return address.port;
}

/** Who has the file open: the emulator, and the process that started it. */
interface Holders {
  readonly emulator: ProcessIdentity;
  readonly owner: ProcessIdentity;
}

function pidFile(file: string): string {
  return `${file}.pid`;
}

function writeHolders(file: string, holders: Holders): void {
  const draft = `${pidFile(file)}-draft.${process.pid}`;
  writeDraft(draft, JSON.stringify(holders));
  renameSync(draft, pidFile(file));
}

/**
 * Ends an emulator that still has this file open although the system that started it is gone. Nothing is killed on the
 * word of a bare number, under which another process may run by now.
 */
async function endOrphan(file: string): Promise<void> {
  const holders = readHolders(file);
  if (holders === undefined || !isAlive(holders.emulator)) return;
  if (isAlive(holders.owner)) {
    throw new Error(`${file} is open in an emulator of process ${holders.owner.pid}. Stop that one first.`);
  }
  if (holders.emulator.started === '') {
    const { pid } = holders.emulator;
    throw new Error(
      `${pidFile(file)} names process ${pid}, but not when that was started: it may be an emulator that has ${file} open, or another process. ` +
        `Look at it (ps -p ${pid}), end it if it is one, and remove ${pidFile(file)}.`,
    );
  }
  process.kill(holders.emulator.pid, 'SIGKILL');
  while (isAlive(holders.emulator)) await delay(5);
}

function readHolders(file: string): Holders | undefined {
  if (!existsSync(pidFile(file))) return undefined;
  try {
    const { emulator, owner } = JSON.parse(readFileSync(pidFile(file), 'utf8'));
    return isIdentity(emulator) && isIdentity(owner) ? { emulator, owner } : undefined;
  } catch {
    // Half a file: its writer died while writing, and its emulator with it.
    return undefined;
  }
}
