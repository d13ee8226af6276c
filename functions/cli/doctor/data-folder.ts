import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fromIso, minute } from '../../domain/time.ts';
import { lastLock } from '../../local/datafolder.ts';
import { oneLine } from '../render/text.ts';
import { localText } from '../render/times.ts';
import { type Check, fine } from './check.ts';

const leastFreeMb = 200;
/** From its lock to its ledger, a start takes seconds. */
const silentMs = minute;

/** `isNamed`: the person named the folder, and expects it to be there. */
export function dataFolderCheck(data: string, { isNamed }: { isNamed: boolean }): Check {
  const name = 'data folder';
  const dir = resolve(data);
  if (!existsSync(dir))
    return {
      name,
      verdict: isNamed ? 'wrong' : 'note',
      says: `${data} is not there`,
      todo: 'npm start makes it; name another one with --data DIR',
    };
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const todo = 'change its permissions, or name another one with --data DIR';
    return { name, verdict: 'wrong', says: `${data} may not be read and written by this user`, todo };
  }
  const { bavail, bsize } = statfsSync(dir);
  const freeMb = Math.floor((bavail * bsize) / 1_048_576);
  if (freeMb < leastFreeMb)
    return {
      name,
      verdict: 'wrong',
      says: `the disk of ${data} is nearly full: ${freeMb} MB are left`,
      todo: 'free some space: without it nothing can be recorded',
    };
  return fine(name, `${data}, with ${Math.floor(freeMb / 1_024)} GB free`);
}

/** Who uses the folder. `isRunning`: a system does. */
export function lockCheck(data: string, now: number): { readonly check: Check; readonly isRunning: boolean } {
  const name = 'in use';
  const last = lastLock(resolve(data));
  if (last === undefined || last.state === 'released')
    return { check: { name, verdict: 'note', says: 'by nobody', todo: startIt }, isRunning: false };
  const { holder, process, startedAt, endpoint } = last.lock;
  const since = fromIso(startedAt);
  const who = `\`${oneLine(String(holder))}\` (process ${process?.pid}, since ${since === null ? 'unknown' : localText(since, 'UTC')})`;
  if (last.state === 'left') {
    const says = `by nobody: ${who} died without giving it back`;
    return {
      check: { name, verdict: 'note', says, todo: `${startIt}, which takes it over` },
      isRunning: false,
    };
  }
  if (endpoint === undefined && since !== null && now - since > silentMs) {
    const todo = `look at it, or stop it: kill ${process.pid}`;
    const says = `by ${who}, which does not tell where its ledger is`;
    return { check: { name, verdict: 'wrong', says, todo }, isRunning: false };
  }
  return { check: fine(name, `by ${who}`), isRunning: endpoint !== undefined };
}

const startIt = 'npm start runs the system on it';
