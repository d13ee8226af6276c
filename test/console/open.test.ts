import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bundleWeb } from '../../functions/console/bundle.ts';
import { openConsole } from '../../functions/console/open.ts';
import { openPage } from '../../functions/local/console-page.ts';
import { readLock } from '../../functions/local/datafolder.ts';
import { seededFolder } from '../cli/seeded.ts';
import { at } from '../support/jobs.ts';

const loaded = Promise.resolve({ openConsole, bundle: { js: 'void 0;', css: '' } });

async function aFolder() {
  const seeded = await seededFolder(at('00:00'));
  onTestFinished(async () => {
    await seeded.stop();
    seeded.remove();
  });
  const { dir, stop } = seeded;
  return { dir, stop, folder: { dir, path: (name: string) => join(dir, name) } };
}

test('npm start serves it on the same port as the last time, so that a page that stayed open finds it', async () => {
  const { folder } = await aFolder();
  const first = await openPage({ folder, loaded, jobsDir: 'none' });
  const token = await (await fetch(`${first?.url}/`)).text();
  await first?.close();
  await expect(fetch(`${first?.url}/`)).rejects.toThrow();
  const again = await openPage({ folder, loaded, jobsDir: 'none' });
  expect(again?.url).toBe(first?.url);
  expect(await (await fetch(`${again?.url}/`)).text()).not.toBe(token);
  await again?.close();
});

test('where that port is taken, it takes another', async () => {
  const { folder } = await aFolder();
  const first = await openPage({ folder, loaded, jobsDir: 'none' });
  await first?.close();
  const other = createServer().listen(Number(new URL(first?.url ?? '').port), '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const again = await openPage({ folder, loaded, jobsDir: 'none' });
  expect(new URL(again?.url ?? '').port).not.toBe(String((other.address() as AddressInfo).port));
  expect((await fetch(`${again?.url}/api/now`)).status).toBe(200);
  await again?.close();
});

test('a page that can’t be served is told, and npm start goes on', async () => {
  const { folder } = await aFolder();
  const told = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => told.mockRestore());
  const broken = Promise.reject(new Error('web/main.tsx has a typo'));
  expect(await openPage({ folder, loaded: broken, jobsDir: 'none' })).toBeNull();
  expect(told.mock.calls).toEqual([["warning: the console can't be served: web/main.tsx has a typo"]]);
});

test('npm run console tells its address as JSON, and what it keeps from starting beside it, serves the folder, and gives it back when it is stopped', async () => {
  const { dir, stop } = await aFolder();
  await stop();
  const words = ['--import', 'tsx', 'functions/console/main.ts', '--data', dir, '--json'];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const [[line], [hint]] = (await Promise.all(
    [child.stdout, child.stderr].map((stream) => once(createInterface(stream), 'line')),
  )) as [[string], [string]];
  const { url, ...told } = JSON.parse(line);
  expect(told).toEqual({ kind: 'ready', place: `the data folder ${dir}`, isAlone: true });
  expect(hint).toContain('npm start can’t start while this is open');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(readLock(dir)?.holder).toBe('npm run console');
  const now = await (await fetch(`${url}/api/now`)).json();
  expect(now).toMatchObject({ jobs: 2, health: [{ level: 'warn', name: 'last sweep' }, {}, {}, {}, {}] });
  child.kill('SIGINT');
  expect(await closed).toEqual([0, null]);
  expect(readLock(dir)).toBeUndefined();
});

test('the page is less than 150 KB, gzipped, and needs nothing that the policy forbids', async () => {
  const { js, css } = await bundleWeb();
  expect(gzipSync(js).length + gzipSync(css).length).toBeLessThan(150_000);
  expect(js).not.toMatch(/\beval\(|new Function\(|import\(/);
  expect(css).not.toMatch(/@import|url\((?!["']?data:)/);
});
