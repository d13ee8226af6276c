import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  DataFolderError,
  explainDataFolder,
  openDataFolder,
  readLock,
} from '../../functions/local/datafolder.ts';
import { identify } from '../../functions/local/process-identity.ts';

const now = Date.parse('2026-11-30T19:00:00Z');
const holder = 'npm start';

function temporary(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fireledger-datafolder-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'data');
}

function storeLock(dir: string, lock: object): void {
  openDataFolder({ dir, holder }).close();
  writeFileSync(join(dir, 'lock.2'), JSON.stringify({ holder, startedAt: '2026-11-30T18:00:00Z', ...lock }));
}

describe('a data folder', () => {
  it('refuses a second start, and says who holds it, since when and what to do', () => {
    const dir = temporary();
    openDataFolder({ dir, holder, now });
    expect(() => openDataFolder({ dir, holder: 'fl audit' })).toThrow(
      new DataFolderError(
        `The data folder ${dir} is in use by \`npm start\` (process ${process.pid}, since 2026-11-30T19:00:00Z). ` +
          `Stop that one first (Ctrl-C, or kill ${process.pid}), or name another folder with --data DIR.`,
      ),
    );
  });

  it('is free again after it was closed', () => {
    const dir = temporary();
    openDataFolder({ dir, holder }).close();
    expect(readLock(dir)).toBeUndefined();
    openDataFolder({ dir, holder }).close();
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it('tells where the running system’s DynamoDB is', () => {
    const dir = temporary();
    expect(readLock(dir)).toBeUndefined();
    const folder = openDataFolder({ dir, holder, now });
    expect(readLock(dir)).not.toHaveProperty('endpoint');
    folder.announce({ endpoint: 'http://127.0.0.1:4711' });
    expect(readLock(dir)).toEqual({
      process: identify(process.pid),
      holder: 'npm start',
      startedAt: '2026-11-30T19:00:00Z',
      endpoint: 'http://127.0.0.1:4711',
    });
  });

  it('is taken over from a process that was killed', async () => {
    const dir = temporary();
    const killed = spawn('sleep', ['60']);
    storeLock(dir, { process: identify(killed.pid ?? 0) });
    expect(readLock(dir)?.process.pid).toBe(killed.pid);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(readLock(dir)).toBeUndefined();
    openDataFolder({ dir, holder });
    expect(readLock(dir)?.process.pid).toBe(process.pid);
  });

  it('does not take a later process of the same number for its holder', () => {
    const dir = temporary();
    storeLock(dir, { process: { pid: process.pid, started: 'an earlier boot' } });
    expect(readLock(dir)).toBeUndefined();
    openDataFolder({ dir, holder });
    expect(readdirSync(dir)).toEqual(['lock.3']);
  });

  it('does not stumble over a lock that a power cut tore', () => {
    const dir = temporary();
    storeLock(dir, {});
    writeFileSync(join(dir, 'lock.2'), '{"holder": "npm st');
    openDataFolder({ dir, holder });
    expect(readdirSync(dir)).toEqual(['lock.3']);
  });

  it('has one winner when many processes find the same dead lock', async () => {
    const dir = temporary();
    storeLock(dir, { process: { pid: process.pid, started: 'an earlier boot' } });
    const children = await Promise.all(Array.from({ length: 6 }, () => readyToOpen(dir)));
    const outcomes = await Promise.all(children.map((open) => open()));
    expect(outcomes.filter((outcome) => outcome === 'opened')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(5);
  });

  it.each([
    {},
    { process: null },
    { process: { pid: -1, started: '' } },
    { process: { pid: '1', started: '' } },
  ])('does not take a lock that names no process for held: %j', (lock) => {
    const dir = temporary();
    storeLock(dir, lock);
    openDataFolder({ dir, holder });
    expect(readLock(dir)?.process.pid).toBe(process.pid);
  });

  it('is not kept from its next lock by a name with a number too large to count', () => {
    const dir = temporary();
    storeLock(dir, {});
    writeFileSync(join(dir, 'lock.99999999999999999999'), '{}');
    openDataFolder({ dir, holder });
    expect(existsSync(join(dir, 'lock.3'))).toBe(true);
  });

  it('is locked by a file of its own, and through no link', () => {
    const dir = temporary();
    openDataFolder({ dir, holder }).close();
    const elsewhere = `${dir}.elsewhere`;
    writeFileSync(elsewhere, 'kept');
    symlinkSync(elsewhere, join(dir, `lock-draft.${process.pid}`));
    openDataFolder({ dir, holder }).announce({ endpoint: 'http://127.0.0.1:4711' });
    expect(readLock(dir)?.endpoint).toBe('http://127.0.0.1:4711');
    expect(readFileSync(elsewhere, 'utf8')).toBe('kept');
  });

  it('shows what a lock says without what a terminal would obey', () => {
    const dir = temporary();
    storeLock(dir, { process: identify(process.pid), holder: '\u001b[2Jnpm start' });
    expect(() => openDataFolder({ dir, holder })).toThrow('is in use by `\\u{1b}[2Jnpm start`');
  });

  it('is removed at the end when it is ephemeral', () => {
    const folder = openDataFolder({ ephemeral: true, holder });
    writeFileSync(folder.path('some.db'), 'data');
    folder.close();
    expect(existsSync(folder.dir)).toBe(false);
  });

  it('refuses a path that leads through a file', () => {
    const dir = temporary();
    writeFileSync(dir, '');
    expect(() => openDataFolder({ dir, holder })).toThrow(/there is a file of that name/);
    expect(() => openDataFolder({ dir: join(dir, 'below'), holder })).toThrow(/a part of its path is a file/);
  });

  it.each([
    ['ENOSPC', 'its disk is full. Free some space, or name another folder with --data DIR.'],
    [
      'ELOOP',
      'a symbolic link is where a file of its own belongs. Remove the link, or name another folder with --data DIR.',
    ],
    ['EROFS', 'its file system is read-only. Name another folder with --data DIR.'],
    [
      'EACCES',
      'this user may not write there. Change its permissions, or name another folder with --data DIR.',
    ],
  ])('explains %s in one message', (code, cause) => {
    const error = explainDataFolder(Object.assign(new Error('raw'), { code }), '/data');
    expect(error).toEqual(new DataFolderError(`The data folder /data can't be used: ${cause}`));
  });
});

/** A process of its own that opens the folder when told to, and keeps it until the test is over. */
async function readyToOpen(dir: string): Promise<() => Promise<unknown>> {
  const module = new URL('../../functions/local/datafolder.ts', import.meta.url).href;
  const script = `import { openDataFolder } from ${JSON.stringify(module)};
    process.on('message', () => {
      try { openDataFolder({ dir: ${JSON.stringify(dir)}, holder: 'npm start' }); process.send('opened'); }
      catch (error) { process.send(error.message.includes('in use') ? 'refused' : error.message); }
    });
    process.send('ready');`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return async () => {
    child.send('go');
    const [outcome] = await once(child, 'message');
    return outcome;
  };
}
