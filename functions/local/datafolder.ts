import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { printable } from '../catalog/problem.ts';
import { type Announced, type FolderLock, type LockInfo, takeLock } from './datafolder-lock.ts';

export { type LockInfo, lastLock, readLock } from './datafolder-lock.ts';

export interface DataFolderOptions {
  /** The command that opens it, as a person would type it: told to whoever comes second. */
  readonly holder: string;
  /** @default '.fireledger', in the current folder */
  readonly dir?: string;
  /** A temporary folder instead of `dir`, removed at the end. @default false */
  readonly ephemeral?: boolean;
  /** Epoch milliseconds. @default - the system's clock */
  readonly now?: number;
}

export interface DataFolder {
  /** Absolute. */
  readonly dir: string;
  /** The path of something kept in the folder. */
  path(name: string): string;
  /** Tells those who read the lock where to reach what runs. */
  announce(where: Announced): void;
  /** Gives the lock back; an ephemeral folder is removed. */
  close(): void;
}

/** The embedded DynamoDB's file in a data folder: the running system's, and `fl`'s when none runs. */
export function databasePath(dir: string): string {
  return join(dir, 'dynamodb.db');
}

/** A data folder that can't be used; its message is for the person who named it. */
export class DataFolderError extends Error {}

/** Creates the folder and takes its lock. Throws a DataFolderError, with nothing left behind, when it can't be used. */
export function openDataFolder(options: DataFolderOptions): DataFolder {
  const dir = options.ephemeral ? join(tmpdir(), 'fireledger-') : resolve(options.dir ?? '.fireledger');
  try {
    return options.ephemeral ? openEphemeral(dir, options) : openKept(dir, options);
  } catch (error) {
    throw error instanceof DataFolderError ? error : explainDataFolder(error, dir);
  }
}

function openKept(dir: string, options: DataFolderOptions): DataFolder {
  makeFolder(dir);
  const lock = takeOrRefuse(dir, options);
  return folderOf(dir, lock, () => lock.release());
}

/** With its parents. On a read-only file system Node then says ENOENT, and the truth when asked for the one folder. */
function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dir, { mode: 0o700 });
  }
}

function openEphemeral(prefix: string, options: DataFolderOptions): DataFolder {
  const dir = mkdtempSync(prefix);
  const remove = () => rmSync(dir, { recursive: true, force: true });
  process.once('exit', remove);
  return folderOf(dir, takeOrRefuse(dir, options), () => {
    process.off('exit', remove);
    remove();
  });
}

function folderOf(dir: string, lock: FolderLock, close: () => void): DataFolder {
  return {
    dir,
    path: (name) => join(dir, name),
    announce: (where) => lock.announce(where),
    close,
  };
}

function takeOrRefuse(dir: string, options: DataFolderOptions): FolderLock {
  const taken = takeLock(dir, options.holder, options.now ?? Date.now());
  if ('release' in taken) return taken;
  throw new DataFolderError(refusal(dir, taken));
}

function refusal(dir: string, { holder, process, startedAt }: LockInfo): string {
  return (
    `The data folder ${dir} is in use by \`${printable(holder)}\` (process ${process.pid}, since ${printable(startedAt)}). ` +
    `Stop that one first (Ctrl-C, or kill ${process.pid}), or name another folder with --data DIR.`
  );
}

const CAUSES: Record<string, string> = {
  EACCES: 'this user may not write there. Change its permissions, or name another folder with --data DIR.',
  EPERM: 'this user may not write there. Change its permissions, or name another folder with --data DIR.',
  EROFS: 'its file system is read-only. Name another folder with --data DIR.',
  ENOTDIR: 'a part of its path is a file. Name another folder with --data DIR.',
  EEXIST: 'there is a file of that name. Name another folder with --data DIR.',
  ELOOP:
    'a symbolic link is where a file of its own belongs. Remove the link, or name another folder with --data DIR.',
  ENOSPC: 'its disk is full. Free some space, or name another folder with --data DIR.',
  EDQUOT: "this user's disk quota is used up. Free some space, or name another folder with --data DIR.",
};

/** The one message for what a file system says about a data folder; an error of another kind is returned as it is. */
export function explainDataFolder(error: unknown, dir: string): unknown {
  const cause = error instanceof Error ? CAUSES[codeOf(error)] : undefined;
  if (cause === undefined) return error;
  return new DataFolderError(`The data folder ${dir} can't be used: ${cause}`, { cause: error });
}

/** The emulators say it in the words of their databases. */
function codeOf(error: Error): string {
  if (/disk is full|no space left/i.test(error.message)) return 'ENOSPC';
  return 'code' in error ? String(error.code) : '';
}
