import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fireKey } from '../../functions/domain/names.ts';
import { hour } from '../../functions/domain/time.ts';
import { readLock } from '../../functions/local/datafolder.ts';
import { type SeededFolder, seededFolder } from './seeded.ts';

const start = Math.floor(Date.now() / hour) * hour - 5 * hour;
let folder: SeededFolder;

beforeAll(async () => {
  folder = await seededFolder(start);
});

afterAll(async () => {
  await folder.stop();
  folder.remove();
});

/** `npm run -s fl -- …`, without npm. */
function fl(
  words: readonly string[],
  input = '',
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'functions/cli/main.ts', ...words], {
    env: { ...process.env, NO_COLOR: '1' },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

describe('fl as a process', () => {
  test('reads the ledger of the system that runs, without a word in the way of the JSON', async () => {
    const { code, out, err } = await fl(['runs', '--json', '--data', folder.dir]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toHaveLength(4);
  });

  test('reads the folder of a system that has stopped, twice at a time, and leaves it free', async () => {
    await folder.stop();
    const audits = await Promise.all([1, 2].map(() => fl(['audit', '--json', '--data', folder.dir])));
    for (const { code, out, err } of audits) {
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(JSON.parse(out).missing).toContain(`billing/send-invoices#${fireKey(start + 2 * hour)}`);
    }
    expect(readLock(folder.dir)).toBeUndefined();
  });

  test('answers wrong questions in one message, without a stack', async () => {
    const { code, out, err } = await fl(['jobs', '--data', `${folder.dir}/none`]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  test('next --batch answers what it is piped', async () => {
    const line =
      '{"expression":"0 3 * * *","timezone":"Asia/Taipei","from":"2026-12-01T00:00:00Z","count":1}\n';
    const { code, out } = await fl(['next', '--batch'], line.repeat(2_000));
    expect(code).toBe(0);
    expect(out).toBe('{"fires":["2026-12-01T19:00:00Z"]}\n'.repeat(2_000));
  });
});
