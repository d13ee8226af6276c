import { linkSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDraft } from './draft.ts';
import { identify, isAlive, isIdentity, type ProcessIdentity } from './process-identity.ts';

/** What the lock of a data folder tells about the one that holds it. */
export interface LockInfo {
  readonly process: ProcessIdentity;
  /** The command that holds it, as a person would type it. */
  readonly holder: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Where its DynamoDB is; absent until that has started. */
  readonly endpoint?: string;
  /** Where its reconciler is nudged; absent where none runs. */
  readonly controlQueueUrl?: string;
}

/** Where to reach what runs on a data folder. */
export type Announced = Required<Pick<LockInfo, 'endpoint'>> & Pick<LockInfo, 'controlQueueUrl'>;

interface Stored extends LockInfo {
  readonly released?: true;
}

export interface FolderLock {
  /** Tells those who read the lock where to reach what runs. */
  announce(where: Announced): void;
  release(): void;
}

const NAME = /^lock\.(\d{1,9})$/;

/**
 * Takes the lock, or returns who holds it. Locks are numbered and the highest counts: a dead or released one is
 * outbid by creating its successor, which the file system lets only one process do, and a lock is removed only when a
 * higher one exists. So two that find the same dead lock can't both win.
 */
export function takeLock(dir: string, holder: string, now: number): FolderLock | LockInfo {
  const mine: Stored = { process: identify(process.pid), holder, startedAt: isoSeconds(now) };
  for (;;) {
    const highest = highestLock(dir);
    const held = readStored(dir, highest);
    if (held !== undefined && isHeld(held)) return held;
    const number = highest + 1;
    if (!create(dir, number, mine)) continue;
    if (highestLock(dir) === number) {
      removeBelow(dir, number);
      return lockOf(dir, number, mine);
    }
    rmSync(lockPath(dir, number), { force: true });
  }
}

/** Who runs on this folder, undefined when nobody does (or there is no such folder). */
export function readLock(dir: string): LockInfo | undefined {
  const held = readStored(dir, highestLock(dir));
  return held !== undefined && isHeld(held) ? held : undefined;
}

/** The newest lock of a folder: held, given back, or left behind by a process that died. Undefined when there is none. */
export function lastLock(
  dir: string,
): { readonly lock: LockInfo; readonly state: 'held' | 'released' | 'left' } | undefined {
  const lock = readStored(dir, highestLock(dir));
  if (lock === undefined) return undefined;
  if (isHeld(lock)) return { lock, state: 'held' };
  return { lock, state: lock.released === true ? 'released' : 'left' };
}

function lockOf(dir: string, number: number, mine: Stored): FolderLock {
  return {
    announce: (where) => replace(dir, number, { ...mine, ...where }),
    release: () => release(dir, number, mine),
  };
}

/** On a full disk it can't be told: then the lock is free when this process has ended, which is soon. */
function release(dir: string, number: number, mine: Stored): void {
  try {
    replace(dir, number, { ...mine, released: true });
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

function isHeld(lock: Stored): boolean {
  return lock.released !== true && isIdentity(lock.process) && isAlive(lock.process);
}

/** False when another process was first. A link appears with its whole content, and never replaces a file. */
function create(dir: string, number: number, lock: Stored): boolean {
  const draft = draftOf(dir, lock);
  try {
    linkSync(draft, lockPath(dir, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function replace(dir: string, number: number, lock: Stored): void {
  renameSync(draftOf(dir, lock), lockPath(dir, number));
}

function draftOf(dir: string, lock: Stored): string {
  const draft = join(dir, `lock-draft.${process.pid}`);
  writeDraft(draft, `${JSON.stringify(lock)}\n`);
  return draft;
}

function removeBelow(dir: string, number: number): void {
  for (const lower of lockNumbers(dir)) {
    if (lower < number) rmSync(lockPath(dir, lower), { force: true });
  }
}

function readStored(dir: string, number: number): Stored | undefined {
  if (number === 0) return undefined;
  try {
    return JSON.parse(readFileSync(lockPath(dir, number), 'utf8')) as Stored;
  } catch (error) {
    // Outbid and removed since we looked.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return readStored(dir, highestLock(dir));
    // A lock appears whole: only a power cut leaves a torn one, and no holder survives that.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function highestLock(dir: string): number {
  return Math.max(0, ...lockNumbers(dir));
}

function lockNumbers(dir: string): number[] {
  try {
    return readdirSync(dir)
      .flatMap((name) => NAME.exec(name)?.[1] ?? [])
      .map(Number);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function lockPath(dir: string, number: number): string {
  return join(dir, `lock.${number}`);
}

function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
