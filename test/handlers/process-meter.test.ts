import { closeSync, fsyncSync, openSync, statfsSync, writeSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processMeter } from '../../functions/handlers/process-meter.ts';
import { temporaryFolder } from '../support/jobs-folder.ts';

const mb = 1024 * 1024;
const noUnits = { readUnits: 0, writeUnits: 0 };
const meter = processMeter(() => noUnits);

async function billOf(work: () => unknown) {
  const measurement = meter.start();
  await work();
  const bill = measurement.used();
  measurement.stop();
  return bill;
}

/** Node's own function for it, without starting Node another way. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** On Linux, and in no file system that is memory or somebody else's: ext4, xfs, btrfs, or an overlay of them. */
function isOnDisk(folder: string): boolean {
  const types = [0xef53, 0x58465342, 0x9123683e, 0x794c7630];
  return process.platform === 'linux' && types.includes(statfsSync(folder).type);
}

/** Keeps the processor and the event loop. */
function compute(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until) Math.sqrt(until);
}

/** Answers each request with a megabyte, once it has read it. */
async function megabyteServer(): Promise<string> {
  const answer = Buffer.alloc(mb);
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => response.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the meter of a process', () => {
  it('tells time that code computes from time that it waits', async () => {
    const waited = await billOf(() => delay(100));
    expect(waited.wallMs).toBeGreaterThan(95);
    const computed = await billOf(() => compute(100));
    expect(computed.wallMs).toBeGreaterThanOrEqual(100);
    const cpuMs = (bill: typeof waited) => (bill.cpuUserMs ?? 0) + (bill.cpuSystemMs ?? 0);
    expect(cpuMs(computed)).toBeGreaterThan(0);
    expect(cpuMs(computed) / computed.wallMs).toBeGreaterThan(cpuMs(waited) / waited.wallMs);
  });

  it('sees code that holds up the event loop, though it is over when a timer could have said so', async () => {
    const { eventLoopDelayMs } = await billOf(() => compute(150));
    expect(eventLoopDelayMs).toBeGreaterThanOrEqual(130);
    const before = await billOf(async () => {
      compute(150);
      await delay(60);
    });
    expect(before.eventLoopDelayMs).toBeGreaterThanOrEqual(130);
  });

  it('can be read before the end: what comes after that is measured as before', async () => {
    const { used, stop } = meter.start();
    const first = used();
    await delay(1_000);
    const waited = used();
    expect(waited.wallMs).toBeGreaterThan(first.wallMs + 990);
    expect(waited.eventLoopDelayMs).toBeLessThan(900);
    compute(1_000);
    expect(used().eventLoopDelayMs).toBeGreaterThanOrEqual(980);
    stop();
  });

  it('tells the highest memory of this attempt, not of the one before', async () => {
    const large = await billOf(() => Buffer.alloc(300 * mb, 1).length);
    expect(large.peakMemoryMb).toBeGreaterThan(300);
    collectGarbage();
    // Where the system doesn't forget, nothing is known of a smaller one.
    expect((await billOf(() => null)).peakMemoryMb ?? 0).toBeLessThan(300);
  });

  it.runIf(isOnDisk(tmpdir()))('counts what is written to disk', async () => {
    const file = path.join(temporaryFolder(), 'written');
    const bill = await billOf(() => {
      const written = openSync(file, 'w');
      writeSync(written, Buffer.alloc(2 * mb));
      fsyncSync(written);
      closeSync(written);
    });
    expect(bill.writtenBytes).toBeGreaterThanOrEqual(2 * mb);
    expect((await billOf(() => null)).writtenBytes).toBeLessThan(2 * mb);
  });

  it('counts what goes over connections: of fetch, kept alive, and closed', async () => {
    const origin = await megabyteServer();
    const call = async (headers: Record<string, string> = {}) => {
      const response = await fetch(origin, { method: 'POST', body: Buffer.alloc(mb / 2), headers });
      await response.arrayBuffer();
    };
    const one = await billOf(() => call());
    expect(one.receivedBytes).toBeGreaterThanOrEqual(mb);
    expect(one.receivedBytes).toBeLessThan(1.01 * mb);
    expect(one.sentBytes).toBeGreaterThanOrEqual(mb / 2);
    expect(one.sentBytes).toBeLessThan(0.51 * mb);
    const onTheSame = await billOf(() => call());
    expect(onTheSame.receivedBytes).toBeGreaterThanOrEqual(mb);
    expect(onTheSame.receivedBytes).toBeLessThan(1.01 * mb);
    const nothing = await billOf(() => null);
    expect(nothing).toMatchObject({ receivedBytes: 0, sentBytes: 0 });
  });

  it('counts a connection that is closed before the end', async () => {
    const origin = await megabyteServer();
    const { receivedBytes } = await billOf(async () => {
      const response = await fetch(origin, { headers: { connection: 'close' } });
      await response.arrayBuffer();
      await delay(20);
    });
    expect(receivedBytes).toBeGreaterThanOrEqual(mb);
  });
});
