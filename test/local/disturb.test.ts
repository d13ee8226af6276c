import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { alarmPayload } from '../../functions/contract.ts';
import { second } from '../../functions/domain/time.ts';
import type { Arrival, Target } from '../../functions/local/chaos.ts';
import { type Disturbance, disturb } from '../../functions/local/disturb.ts';
import type { CloudEvent } from '../../functions/local/events.ts';
import type { SandboxProcess } from '../../functions/local/lambda/contract.ts';

const alarm = { ...alarmPayload('job'), scheduledTime: '2026-12-01T03:00:00Z' };
const offer = { fireledger: 'offer', jobId: 'job', run: '2026-12-01T03:00:00Z', token: 't', attempt: 1 };
const run = 'job#2026-12-01T03:00:00Z';
const delivered: unknown[] = [];
const told: CloudEvent[] = [];
const asked: [Target, string][] = [];
let sandboxes: SandboxProcess[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  for (const list of [delivered, told, asked]) list.length = 0;
  sandboxes = [];
});

/** Disturbed as `arrivals` says, and left alone when that is used up. */
function disturbance(...arrivals: (readonly Arrival[])[]): Disturbance {
  return disturb({
    chaos: {
      seed: 7,
      fateOf: (target, place) => {
        asked.push([target, place]);
        return arrivals.shift() ?? [{ afterMs: 0 }];
      },
    },
    lambda: () => ({
      invoke: async (_name, payload) => {
        delivered.push(payload);
        return { requestId: `request-${delivered.length}` };
      },
      pids: () => sandboxes,
    }),
    tell: (event) => void told.push(event),
    clock: () => 0,
  });
}

describe('a disturbed delivery', () => {
  test('that is left alone arrives, and nothing is told', async () => {
    const { invoke, report } = disturbance();
    expect(await invoke('fn', alarm, 'async')).toEqual({ requestId: 'request-1' });
    expect(delivered).toEqual([alarm]);
    expect(told).toEqual([]);
    expect(report()).toEqual({ seed: 7, drops: 0, duplicates: 0, delays: 0, kills: 0 });
  });

  test('that is lost never arrives; the sender is answered all the same', async () => {
    const { invoke, report } = disturbance([]);
    expect((await invoke('fn', alarm, 'async')).requestId).toMatch(/^[0-9a-f-]{36}$/);
    await vi.runAllTimersAsync();
    expect(delivered).toEqual([]);
    expect(told).toEqual([{ kind: 'chaos', at: 0, fault: 'drops', of: 'alarm', jobId: 'job', run }]);
    expect(report().drops).toBe(1);
  });

  test('that is late and doubled arrives when its time has come, each time', async () => {
    const { invoke, report } = disturbance([
      { afterMs: 3 * second },
      { afterMs: 3 * second },
      { afterMs: 5 * second },
    ]);
    await invoke('fn', offer, 'async');
    await vi.advanceTimersByTimeAsync(3 * second - 1);
    expect(delivered).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(delivered).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2 * second);
    expect(delivered).toEqual([offer, offer, offer]);
    expect(told).toMatchObject([
      { fault: 'delays', of: 'offer', run, ms: 3_000 },
      { fault: 'duplicates', of: 'offer', run, count: 2 },
    ]);
    expect(report()).toMatchObject({ delays: 1, duplicates: 2 });
  });

  test('is known by its target and its function', async () => {
    const { invoke, arrivals } = disturbance();
    await invoke('fn', offer, 'async');
    await invoke('reconciler', { fireledger: 'sweep' }, 'async');
    arrivals();
    expect(asked).toEqual([
      ['job', 'fn'],
      ['reconciler', 'reconciler'],
      ['message', 'control queue'],
    ]);
  });

  test.each([
    ['somebody waits for its answer', { fireledger: 'sweep' }, 'sync'],
    ['it is none of ours', { hello: 'world' }, 'async'],
  ] as const)('is none when %s', async (_why, payload, mode) => {
    const { invoke } = disturbance([]);
    await invoke('fn', payload, mode);
    expect(delivered).toEqual([payload]);
  });
});

describe('a process that chaos kills', () => {
  const sleeper = () => {
    const child = spawn('sleep', ['60']);
    onTestFinished(() => void child.kill('SIGKILL'));
    return { pid: child.pid ?? 0, ended: once(child, 'exit') };
  };

  test('dies while it handles that very delivery', async () => {
    const { pid, ended } = sleeper();
    sandboxes = [{ pid, functionName: 'fn', requestId: 'request-1' }];
    const { invoke, report } = disturbance([{ afterMs: 0, killAfterMs: 40 }]);
    await invoke('fn', alarm, 'async');
    await vi.advanceTimersByTimeAsync(40);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(told).toEqual([{ kind: 'chaos', at: 0, fault: 'kills', of: 'alarm', jobId: 'job', run, ms: 40 }]);
    expect(report().kills).toBe(1);
  });

  test('is left alone, and not counted, when it is at another one by then or gone by itself', async () => {
    const { pid, ended } = sleeper();
    sandboxes = [{ pid, functionName: 'fn', requestId: 'another' }];
    const { invoke, report } = disturbance(
      [{ afterMs: 0, killAfterMs: 40 }],
      [{ afterMs: 0, killAfterMs: 40 }],
    );
    await invoke('fn', alarm, 'async');
    await vi.advanceTimersByTimeAsync(40);
    process.kill(pid, 'SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
    sandboxes = [{ pid, functionName: 'fn', requestId: 'request-2' }];
    await invoke('fn', alarm, 'async');
    await vi.advanceTimersByTimeAsync(40);
    expect(report().kills).toBe(0);
  });
});

describe('once all is to be calm', () => {
  test('what is late arrives at once, and nothing is struck any more', async () => {
    const { invoke, arrivals, calm, report } = disturbance([{ afterMs: 60 * second, killAfterMs: 1 }], []);
    await invoke('fn', alarm, 'async');
    calm();
    expect(delivered).toEqual([alarm]);
    await invoke('fn', offer, 'async');
    expect(arrivals()).toEqual([0]);
    await vi.runAllTimersAsync();
    expect(delivered).toEqual([alarm, offer]);
    expect(report()).toEqual({ seed: 7, drops: 0, duplicates: 0, delays: 1, kills: 0 });
  });
});
