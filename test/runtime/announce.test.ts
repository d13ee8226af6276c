import { describe, expect, it } from 'vitest';
import { second } from '../../functions/domain/time.ts';
import { Fatal } from '../../functions/job.ts';
import { jobId, key, world } from './world.ts';

const retry = { attempts: 3, backoffMs: 40 * second, capMs: 60 * second };
const announced = [`${jobId}#${key}`];
const fails = () => Promise.reject(new Error('the bank said no'));
const hangs = { code: () => new Promise(() => undefined) };
const abortable = {
  code: (_fire: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
};

describe('the reconciler is to tell people of a run', () => {
  it('that failed for good', async () => {
    const w = await world({ code: fails });
    await w.deliver();
    expect(w.recording.announced).toEqual(announced);
  });

  it('that ran out of its time', async () => {
    const w = await world(abortable);
    await w.time.until(w.deliver());
    expect(w.recording.announced).toEqual(announced);
  });

  it('that must not be tried again, though its job has tries left', async () => {
    const w = await world({ code: () => Promise.reject(new Fatal('no such account')), job: { retry } });
    await w.deliver();
    expect(w.recording.announced).toEqual(announced);
  });

  it('once its outcome is written', async () => {
    const states: string[] = [];
    const w = await world({
      code: fails,
      ports: ({ nudger }) => ({
        nudger: { ...nudger, announce: async () => void states.push((await w.run()).state) },
      }),
    });
    await w.deliver();
    expect(states).toEqual(['failed']);
  });
});

describe('nobody is to be told of a run', () => {
  it('that succeeded', async () => {
    const w = await world();
    await w.deliver();
    expect(w.recording.announced).toEqual([]);
  });

  it('that is tried again', async () => {
    const w = await world({ code: fails, job: { retry } });
    await w.deliver();
    expect((await w.run()).state).toBe('retrying');
    expect(w.recording.announced).toEqual([]);
  });

  it('whose job says `notify: false`', async () => {
    const w = await world({ code: fails, job: { notify: false } });
    await w.deliver();
    expect((await w.run()).state).toBe('failed');
    expect(w.recording.announced).toEqual([]);
  });

  it('whose handler ignores its abort, before its lease has ended', async () => {
    const w = await world(hangs);
    await w.time.until(w.deliver());
    expect((await w.run()).state).toBe('running');
    expect(w.recording.announced).toEqual([]);
  });
});
