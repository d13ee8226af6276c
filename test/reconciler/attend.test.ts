import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../functions/domain/ledger.ts';
import type { RunRef } from '../../functions/domain/names.ts';
import { offerLifeMs } from '../../functions/domain/offer.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import type { StepRecord } from '../../functions/domain/steps.ts';
import { readControlMessage, takeNote, takeNotes } from '../../functions/reconciler/control.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, succeed, take, World } from '../support/reconciler.ts';

const daily = { schedule: cron('0 12 * * *') };
const leaseEnd = at('12:06');

async function running(job = manifestJob(daily)) {
  const made = new World(at('11:00'), [job]);
  await made.sweep();
  return { made, job, run: await deliver(made, job, at('12:00')) };
}

const failureRecord = (requestId: string) =>
  JSON.stringify({
    version: '1.0',
    requestContext: { requestId, condition: 'RetriesExhausted', approximateInvokeCount: 1 },
    requestPayload: {
      fireledger: 'alarm',
      jobId: 'billing/send-invoices',
      scheduledTime: '2026-12-01T12:00:00Z',
    },
    responsePayload: { errorType: 'Runtime.ExitError', errorMessage: 'exited with signal: killed' },
  });

async function note(made: World, body: string): Promise<void> {
  const message = readControlMessage(body, {});
  if (message === null) throw new Error('unreadable');
  await takeNote(made.ports, message);
}

describe('a crash', () => {
  test('is suspected by Lambda’s failure record and proven only by the end of the lease', async () => {
    const { made, run } = await running();
    made.now = at('12:01');
    await note(made, failureRecord(run.attempts[0]?.requestId ?? ''));
    await made.sweepAt(leaseEnd - 1);
    expect((await made.runs())[0]).toMatchObject({
      state: 'running',
      suspected: { at: at('12:01'), why: 'RetriesExhausted: Runtime.ExitError: exited with signal: killed' },
    });
    await made.sweepAt(leaseEnd);
    const [crashed] = await made.runs();
    expect(crashed).toMatchObject({ state: 'offered', crashes: 1 });
    expect(crashed?.attempts[0]).toMatchObject({ outcome: 'crashed', suspected: { at: at('12:01') } });
    expect(crashed?.suspected).toBeUndefined();
  });

  test('of a duplicate’s invocation throws no suspicion on the owner', async () => {
    const { made } = await running();
    await note(made, failureRecord('another-request'));
    expect((await made.runs())[0]?.suspected).toBeUndefined();
  });

  test('under `rerun` runs again as the second attempt, and the first can write no more', async () => {
    const { made, job, run } = await running();
    await made.sweepAt(leaseEnd);
    const [offer] = made.invoked;
    if (offer === undefined) throw new Error('no offer');
    const second = await take(made, offer, job);
    await succeed(made, run);
    expect((await made.runs())[0]).toMatchObject({ state: 'running', token: second.token });
    await succeed(made, second);
    const [done] = await made.runs();
    expect(done).toMatchObject({ state: 'succeeded', crashes: 1 });
    expect(done?.attempts.map((attempt) => attempt.outcome)).toEqual(['crashed', 'succeeded']);
    expect((await made.ledger.job(job.id))?.slot).toBeUndefined();
  });

  test('of a paused job’s run is made good for once the job is unpaused', async () => {
    const { made, job, run } = await running();
    await made.ledger.setPause(job.id, { at: at('12:01'), by: 'ops', note: 'bank holiday' });
    await made.sweepAt(leaseEnd);
    expect(made.invoked).toEqual([]);
    expect(await made.lines()).toEqual(['12:00 waiting slot']);
    await made.ledger.setPause(job.id, null);
    await made.sweepAt(at('12:10'));
    expect(made.invoked).toMatchObject([{ key: run.key }]);
    expect((await made.runs())[0]).toMatchObject({ state: 'offered', hasSlot: true, crashes: 1 });
  });

  test('under `park` stops for a person, its slot free for the next fire', async () => {
    const { made, job } = await running(manifestJob({ ...daily, crashed: 'park' }));
    await made.sweepAt(leaseEnd);
    await made.sweepAt(at('23:00'));
    expect(await made.lines()).toEqual(['12:00 parked crashed']);
    expect((await made.ledger.job(job.id))?.slot).toBeUndefined();
  });

  test.each([
    ['names the step that was begun, which a person must know about', {}, 'pay cara'],
    ['names no step of which its code finds out by itself', { verifies: true } as const, undefined],
  ])('in the midst of a `once` under `park` %s', async (_what, of, uncertain) => {
    const { made, run } = await running(manifestJob({ ...daily, crashed: 'park' }));
    const step = (name: string, more: Partial<StepRecord>) =>
      made.ledger.writeStep(
        run,
        { state: 'running', token: run.token },
        {
          step: {
            ...{ name, kind: 'once', state: 'begun', at: at('12:01'), restarts: 0, token: run.token },
            ...more,
          },
          replaces: null,
        },
      );
    await step('pay bert', { state: 'done', result: 7 });
    await step('pay cara', of);
    await made.sweepAt(leaseEnd);
    const [parked] = await made.runs();
    expect(parked).toMatchObject({ state: 'parked', reason: 'crashed' });
    expect(parked?.uncertain).toBe(uncertain);
  });
});

test('an offer that nobody took is made anew with another token, and the old one starts nothing', async () => {
  const { made, job } = await running();
  await made.sweepAt(leaseEnd);
  await made.sweepAt(leaseEnd + offerLifeMs(job.graceMs));
  const [first, second] = made.invoked;
  if (first === undefined || second === undefined) throw new Error('two offers expected');
  await expect(take(made, first, job)).rejects.toThrow('the offer was gone');
  expect(await take(made, second, job)).toMatchObject({ state: 'running', reoffers: 1, crashes: 1 });
});

describe('one bad job stops no other', () => {
  const good = manifestJob({ id: 'good' });

  test('not with a schedule that can’t be worked out', async () => {
    const bad = manifestJob({ id: 'bad', spec: { schedules: [cron('* * * * *')], timezone: 'Mars/Phobos' } });
    const made = new World(at('12:00'), [bad, good]);
    await made.sweep();
    await made.sweepAt(at('12:05'));
    expect(await made.lines('good')).toEqual(['12:01 waiting catch-up']);
    expect(made.problems).toContain(
      'the fires of a job could not be worked out; it is left out of this sweep',
    );
  });

  test('not with a record that can’t be read; it counts as one, and its fire is not missed', async () => {
    const ledger = memoryLedger();
    const isOdd = (ref: RunRef) => ref.jobId === 'bad' && ref.key === '2026-12-01T12:01:00Z';
    const runs: Ledger['runs'] = (refs, onUnreadable = () => {}) => {
      for (const ref of refs.filter(isOdd)) onUnreadable(ref, new Error('of another format'));
      return ledger.runs(refs.filter((ref) => !isOdd(ref)));
    };
    const proxy = new Proxy(ledger, {
      get: (target, name) => (name === 'runs' ? runs : Reflect.get(target, name).bind(target)),
    });
    const made = new World(at('12:00'), [manifestJob({ id: 'bad' }), good], proxy);
    await made.sweep();
    await made.sweepAt(at('12:05:30'));
    expect(await made.lines('bad')).toEqual(['12:02 waiting catch-up']);
    expect(await made.lines('good')).toEqual(['12:01 waiting catch-up', '12:02 waiting catch-up']);
  });

  test('not with records that can’t be written; they stay owed and are written when it works again', async () => {
    const bad = manifestJob({ id: 'bad' });
    const ledger = memoryLedger();
    let broken = true;
    const create: Ledger['create'] = (run, effect) =>
      broken && run.jobId === 'bad' ? Promise.reject(new Error('throttled')) : ledger.create(run, effect);
    const proxy = new Proxy(ledger, {
      get: (target, name) => (name === 'create' ? create : Reflect.get(target, name).bind(target)),
    });
    const made = new World(at('12:00'), [bad, good], proxy);
    await made.sweep();
    expect(await made.sweepAt(at('13:05'))).toMatchObject({ gap: 61 });
    expect((await made.lines('good')).length).toBe(61);
    broken = false;
    expect(await made.sweepAt(at('13:05:30'))).toMatchObject({ gap: 0 });
    expect((await made.lines('bad')).length).toBe(62);
  });
});

test('two sweeps at once: one has the lease, the other waits for it and gives up', async () => {
  const { made } = await running();
  await made.ledger.acquire('another', made.now, made.now + 90_000);
  expect(await made.sweep()).toBeNull();
  await made.ledger.releaseLease('another');
  expect(await made.sweep()).not.toBeNull();
});

test.each(['not json', '[]', '{}', '{"fireledger":"nudge"}', '{"requestContext":{}}', 'null', '"x"'])(
  'a control message that is none of ours is not read: %s',
  (body) => {
    expect(readControlMessage(body, {})).toBeNull();
  },
);

test.each([
  ['a job id', { jobId: 'x'.repeat(2_000), run: '2026-12-01T12:00:00Z' }],
  ['a run key', { jobId: 'a', run: 'x'.repeat(2_000) }],
])('a failure record names no run by %s that none can have', (_what, named) => {
  const requestPayload = { fireledger: 'offer', ...named };
  const body = JSON.stringify({ requestContext: { requestId: 'r' }, requestPayload });
  expect(readControlMessage(body, {})).toMatchObject({ kind: 'failure', run: null, requestId: 'r' });
});

test('a reported error is cut to its beginning, in whole characters', () => {
  const requestContext = { requestId: 'r', condition: `x${'🧾'.repeat(200)}` };
  const body = JSON.stringify({ requestContext, requestPayload: {} });
  expect(readControlMessage(body, {})).toMatchObject({ why: `x${'🧾'.repeat(149)}\ufffd` });
});

test('a control message that no note can be taken of comes again, and holds up no other', async () => {
  const { made, run } = await running();
  const ledger = new Proxy(made.ledger, {
    get: (target, name: keyof Ledger) =>
      name === 'suspect'
        ? (...args: Parameters<Ledger['suspect']>) =>
            args[1].requestId === 'poison' ? Promise.reject(new Error('not taken')) : target.suspect(...args)
        : target[name].bind(target),
  });
  const bodies = { a: failureRecord('poison'), b: 'not json', c: failureRecord(`request-${run.token}`) };
  const messages = Object.entries(bodies).map(([id, body]) => ({ id, body, attributes: {} }));
  expect(await takeNotes({ ...made.ports, ledger }, messages)).toMatchObject({ left: ['a', 'b'] });
  expect((await made.runs())[0]?.suspected).toBeDefined();
});

test('a dead letter of EventBridge Scheduler tells its fire and error', () => {
  const body =
    '{"fireledger":"alarm","jobId":"a","scheduledTime":"2026-12-01T12:00:07Z","attemptNumber":"1"}';
  expect(readControlMessage(body, { ERROR_CODE: 'AWS.Scheduler.InternalServerError' })).toEqual({
    kind: 'undelivered',
    run: { jobId: 'a', key: '2026-12-01T12:00:00Z' },
    why: 'AWS.Scheduler.InternalServerError',
  });
});

test.each(['not json', '{}', '{"FunctionName":"fireledger-dev-a","InvocationType":"Event","Payload":"{}"}'])(
  'a dead letter is known by its attributes, whatever its body is: %s',
  (body) => {
    const schedule = 'arn:aws:scheduler:us-east-1:123456789012:schedule/fireledger-dev/a.1';
    const attributes = { SCHEDULE_ARN: schedule, ERROR_CODE: 'AWS.Lambda.ResourceNotFoundException' };
    expect(readControlMessage(body, attributes)).toEqual({
      kind: 'undelivered',
      run: null,
      schedule,
      why: 'AWS.Lambda.ResourceNotFoundException',
    });
  },
);
