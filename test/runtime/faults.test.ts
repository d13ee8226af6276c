import { describe, expect, it } from 'vitest';
import { minute, second } from '../../functions/domain/time.ts';
import { fireTime, held, jobId, key, world } from './world.ts';

const boom = new Error('in a promise that nobody awaits');

describe('an error that escapes job code', () => {
  it('aborts the code and fails the run with it, even when the code then returns', async () => {
    const w = await world({
      code: (_fire, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('fine'))),
    });
    const handled = w.deliver();
    await w.time.pass(second);
    w.recording.letEscape(boom);
    expect(await handled).toMatchObject({ outcome: 'failed' });
    expect(await w.run()).toMatchObject({
      state: 'failed',
      reason: 'error',
      error: { message: boom.message, stack: boom.stack },
      settledAt: fireTime + 3 * second,
    });
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
  });

  it('in the last moment, reported a turn of the event loop after the return, still fails the run', async () => {
    const w = await world({
      code: () => {
        process.nextTick(() => w.recording.letEscape(boom));
        return 'fine';
      },
    });
    expect(await w.deliver()).toMatchObject({ outcome: 'failed' });
  });

  it('ends the process once the run is settled: it serves no other fire', async () => {
    const w = await world({
      code: () => {
        w.recording.letEscape(boom);
      },
      ports: () => ({ exit: () => void states.push(w.run().then(({ state }) => state)) }),
    });
    const states: Promise<string>[] = [];
    await w.deliver();
    expect(await Promise.all(states)).toEqual(['failed']);
  });

  it('and ignores the abort has its run marked, with the error, and keeps its slot', async () => {
    const w = await world({ code: () => new Promise(() => undefined) });
    const handled = w.deliver();
    await w.time.pass(minute);
    w.recording.letEscape(boom);
    await w.time.pass(15 * second);
    await handled;
    expect(await w.run()).toMatchObject({
      state: 'running',
      timedOutAt: fireTime + 2 * second + minute + 15 * second,
      error: { message: `${boom.message}; the handler then ignored its abort for 15 s` },
    });
    expect(await w.ledger.job(jobId)).toMatchObject({ slot: key });
    expect(w.recording.exits).toEqual([1]);
  });

  it('is logged each time, whatever becomes of the run', async () => {
    const running = held();
    const w = await world({ code: running.code });
    const handled = w.deliver();
    await w.time.pass(0);
    w.recording.letEscape(boom);
    w.recording.letEscape(new Error('another'));
    running.fail(new Error('a third'));
    await handled;
    const logged = w.recording.logs.filter(({ message }) =>
      message.startsWith('job code let an error escape'),
    );
    expect(logged.map(({ fields }) => fields.error)).toEqual([boom, new Error('another')]);
    expect(await w.run()).toMatchObject({ error: { message: boom.message } });
  });

  it('outside of a run is nobody’s here: the process deals with it', async () => {
    const w = await world();
    expect(w.recording.letEscape(boom)).toBe(false);
    await w.deliver();
    expect(w.recording.letEscape(boom)).toBe(false);
  });
});
