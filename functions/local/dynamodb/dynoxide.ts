import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isAlive, type ProcessIdentity } from '../process-identity.ts';
import type { DynamoDb } from './start.ts';

/** Another process may take the port between our choosing it and the emulator's binding it. */
const PORT_TRIES = 10;
const CLOSE_GRACE_MS = 2_000;

/**
 * The shell becomes the emulator, and a second shell waits on descriptor 3, whose other end only we hold. When we die,
 * however we die, that read ends without a line, and the emulator is killed. No orphan is left to hold the file.
 */
const DIE_WITH_PARENT =
  '(read -r line <&3 || kill -9 $$) >/dev/null 2>&1 </dev/null & exec "$@" 3<&- </dev/null';

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
    const started = await tryStart(options, await freePort());
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

interface Refused {
  readonly portTaken: boolean;
  readonly message: string;
}

async function tryStart(options: DynoxideOptions, port: number): Promise<DynamoDb | Refused> {
  const { binary, file, onExit } = options;
  const place = file === undefined ? [] : ['--db-path', file];
  const child = spawn(
    '/bin/sh',
    ['-c', DIE_WITH_PARENT, 'sh', binary, '--host', '127.0.0.1', '--port', String(port), ...place],
    // A group of its own: Ctrl-C in the terminal is for us, who still have runs to drain.
    { detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
  child.once('exit', () => release(child));
  const said = await untilListening(child);
  if (!said.listening) {
    return { portTaken: said.text.includes('already in use'), message: `DynamoDB emulator: ${said.text}` };
  }
  await untilHealthy(port);
  if (file !== undefined && child.pid !== undefined) {
    writeHolders(file, { emulator: identify(child.pid), owner: identify(process.pid) });
  }
  return running(child, port, file, onExit);
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

async function untilHealthy(port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
      if (response.ok && (await response.text()).includes('healthy')) return;
    } catch (error) {
      if (tries === 200) throw new Error('DynamoDB emulator: started, but never answered.', { cause: error });
    }
    await delay(5);
  }
}

function running(
  child: ChildProcess,
  port: number,
  file: string | undefined,
  onExit: ((message: string) => void) | undefined,
): DynamoDb {
  let closing = false;
  const ended = once(child, 'exit').then(([code, signal]) => {
    if (file !== undefined) rmSync(pidFile(file), { force: true });
    if (!closing) onExit?.(`The DynamoDB emulator ended unasked (${signal ?? `code ${code}`}).`);
  });
  child.stderr?.resume();
  child.unref();
  return {
    endpoint: `http://127.0.0.1:${port}`,
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

/** Tells the waiting shell that its charge is gone, so that it ends without killing whoever has that number next. */
function release(child: ChildProcess): void {
  const leash = child.stdio[3] as Writable | null | undefined;
  leash?.on('error', () => {});
  leash?.end('\n');
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1.');
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
  writeFileSync(pidFile(file), JSON.stringify(holders));
}

/** Ends an emulator that still has this file open although the system that started it is gone. */
async function endOrphan(file: string): Promise<void> {
  const holders = readHolders(file);
  if (holders === undefined || !isAlive(holders.emulator)) return;
  if (isAlive(holders.owner)) {
    throw new Error(`${file} is open in an emulator of process ${holders.owner.pid}. Stop that one first.`);
  }
  process.kill(holders.emulator.pid, 'SIGKILL');
  while (isAlive(holders.emulator)) await delay(5);
}

function readHolders(file: string): Holders | undefined {
  if (!existsSync(pidFile(file))) return undefined;
  try {
    return JSON.parse(readFileSync(pidFile(file), 'utf8')) as Holders;
  } catch {
    // Half a file: its writer died while writing, and its emulator with it.
    return undefined;
  }
}
