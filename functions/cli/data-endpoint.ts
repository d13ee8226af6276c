import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type DataFolder,
  DataFolderError,
  databasePath,
  type LockInfo,
  openDataFolder,
  readLock,
} from '../local/datafolder.ts';
import { startDynamoDb } from '../local/dynamodb/start.ts';
import { UserError } from './user-error.ts';

export interface Endpoint {
  /** Absent: AWS's own. */
  readonly endpoint?: string;
  /** Of the system that runs on this machine. Absent: none does, or it can't be told. */
  readonly controlQueueUrl?: string;
  /** It was started for the moment, and no system can start beside it: whoever waits for a run waits for ever. */
  readonly isAlone?: true;
  close(): Promise<void>;
}

/** How long a system that is starting, or another command, is waited for. */
const patienceMs = 15_000;
const lookAgainMs = 100;

/**
 * The DynamoDB of a data folder: of the system that runs on it, or one started for the moment. Then the folder's
 * lock is held meanwhile, so that no system starts on the same file. Nothing is created where there is no data.
 */
export async function openDataEndpoint(data: string, holder: string): Promise<Endpoint> {
  const external = process.env.DYNAMODB_ENDPOINT;
  if (external) return leftAlone({ endpoint: external });
  const dir = resolve(data);
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const lock = readLock(dir);
    if (lock?.endpoint !== undefined) return leftAlone(lock);
    if (lock === undefined) {
      if (!holdsData(dir)) throw nothingIn(data);
      const started = await startFor(dir, holder);
      if (started !== 'held') return started;
    } else if (Date.now() > giveUpAt) throw silent(dir, lock);
    await delay(lookAgainMs);
  }
}

function leftAlone({ endpoint, controlQueueUrl }: Pick<LockInfo, 'endpoint' | 'controlQueueUrl'>): Endpoint {
  return {
    ...(endpoint && { endpoint }),
    ...(controlQueueUrl && { controlQueueUrl }),
    close: async () => {},
  };
}

/** dynalite keeps a folder behind the file's name. */
export function holdsData(dir: string): boolean {
  return existsSync(databasePath(dir)) || existsSync(`${databasePath(dir)}.level`);
}

async function startFor(dir: string, holder: string): Promise<Endpoint | 'held'> {
  const folder = takeFolder(dir, holder);
  if (folder === 'held') return 'held';
  try {
    const database = await startDynamoDb({ file: databasePath(folder.dir) });
    const close = async () => {
      await database.close();
      folder.close();
    };
    return { endpoint: database.endpoint, isAlone: true, close };
  } catch (error) {
    folder.close();
    throw error;
  }
}

/** `held`: somebody was faster, and is waited for. */
function takeFolder(dir: string, holder: string): DataFolder | 'held' {
  try {
    return openDataFolder({ dir, holder });
  } catch (error) {
    if (error instanceof DataFolderError && readLock(dir) !== undefined) return 'held';
    throw error;
  }
}

function silent(dir: string, { holder, process, startedAt }: LockInfo): UserError {
  return new UserError(
    `the data folder ${dir} is held by \`${holder}\` (process ${process.pid}, since ${startedAt}), which doesn't tell yet where its ledger is. Try again later, or stop it`,
  );
}

function nothingIn(data: string): UserError {
  return new UserError(
    `there is no ledger in ${data}. Start the system on this machine with \`npm start\` and it writes one; ` +
      'name another folder with --data DIR, or read a deployed one with --stage NAME',
  );
}
