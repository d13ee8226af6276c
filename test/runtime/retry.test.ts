import { describe, expect, it } from 'vitest';
import { minute, second } from '../../functions/domain/time.ts';
import { Fatal, Retry } from '../../functions/job.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { fireTime, jobId, key, losingFirstAnswer, offered, world } from './world.ts';

const start = fireTime + 2 * second;
const retry = { attempts: 3, backoffMs: 40 * second, capMs: 60 * minute };
const boom = new Error('the bank did not answer');
const failing = (thrown: unknown = boom) => ({ code: () => Promise.reject(thrown) });
const half = { ports: () => ({ random: () => 0.5 }) };

describe('an attempt that fails, of a job that tries again,', () => {
  it('leaves a run that is tried again after a drawn pause: it keeps its slot, and no failure is counted', async () => {
    const w = await world({ ...failing(), ...half, job: { retry, pauseAfter: 1 } });
    expect(await w.deliver()).toEqual({ outcome: 'failed', run: `${jobId}#${key}` });
    expect(await w.run()).toMatchObject({
      ...{ state: 'retrying', reason: 'error', failures: 1, hasSlot: true, attentionAt: start + 20 * second },
      error: { message: 'the bank did not answer' },
      attempts: [{ number: 1, outcome: 'failed' }],
    });
    expect(await w.ledger.job(jobId)).toMatchObject({ slot: key, failuresInARow: 0 });
    expect(w.recording.counts).toEqual([]);
    expect(w.recording.logs.at(-1)).toMatchObject({
      level: 'warn',
      message: 'failed, and is tried again',
      fields: { at: '2026-12-01T03:00:22Z' },
    });
    expect(w.recording.nudges).toEqual([`a run of ${jobId} is tried again`]);
  });

  it('has the reconciler look just when it is due, unless that is longer than a message may wait', async () => {
    const delays: (number | undefined)[] = [];
    const nudge = async (_why: string, delay?: number) => void delays.push(delay);
    const nudger = { nudge, announce: async () => {} };
    for (const after of ['40 seconds', '15 minutes', '16 minutes'] as const) {
      const w = await world({ ...failing(new Retry({ after })), job: { retry }, ports: () => ({ nudger }) });
      await w.deliver();
      expect((await w.run()).state).toBe('retrying');
    }
    expect(delays).toEqual([40, 900]);
  });

  it('ran out of its time: just the same', async () => {
    const w = await world({
      code: (_fire, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ...half,
      job: { retry },
    });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'timed-out' });
    expect(await w.run()).toMatchObject({ state: 'retrying', reason: 'timed-out', failures: 1 });
  });

  it('whose answer was lost recognises itself, and fails once', async () => {
    const ledger = losingFirstAnswer(memoryLedger(), 'move');
    const w = await world({ ...failing(), job: { retry }, ledger });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'failed' });
    expect(await w.run()).toMatchObject({ state: 'retrying', failures: 1 });
    expect(w.recording.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it.each([
    ['with Fatal', new Fatal('the account is closed'), {}],
    ['in its last attempt', boom, { failures: 2 }],
    ['in its last attempt, though it asks for another', new Retry({ after: '1 minute' }), { failures: 2 }],
  ])('%s fails for good', async (_how, thrown, before) => {
    const w = await world({ ...failing(thrown), job: { retry } });
    await w.send(await offered(w, before));
    expect(await w.run()).toMatchObject({ state: 'failed', reason: 'error', hasSlot: false });
    expect(await w.ledger.job(jobId)).toMatchObject({ failuresInARow: 1 });
    expect(w.recording.counts).toEqual(['failed']);
    expect(w.recording.nudges.filter((why) => why.includes('tried again'))).toEqual([]);
  });
});

it('a job without a retry fails though its code asks for another attempt', async () => {
  const w = await world(failing(new Retry({ after: '1 minute', message: 'too many requests' })));
  await w.deliver();
  expect(await w.run()).toMatchObject({ state: 'failed', error: { message: 'too many requests' } });
});

it('a job that is paused after failures has the reconciler look when one fails for good', async () => {
  const w = await world({ ...failing(), job: { pauseAfter: 3 } });
  await w.deliver();
  expect(w.recording.nudges).toEqual([`${jobId} failed`]);
});

it('a run that succeeds at last forgets its error, and tells how often it was tried', async () => {
  const w = await world({ job: { retry } });
  await w.send(await offered(w, { failures: 2, crashes: 1, error: { name: 'Error', message: 'before' } }));
  expect(w.started).toMatchObject([{ attempt: 4 }]);
  expect(await w.run()).toMatchObject({ state: 'succeeded', failures: 2 });
  expect(await w.run()).not.toHaveProperty('error');
});
