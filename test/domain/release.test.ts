import { describe, expect, test } from 'vitest';
import type { Answer } from '../../functions/domain/ledger.ts';
import { releaseRun, uncertainStep, type Verdict } from '../../functions/domain/release.ts';
import {
  neverNeedsAttention,
  newRun,
  openStates,
  type Run,
  terminalStates,
  turnOf,
} from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, succeed, take, World } from '../support/reconciler.ts';

const now = Date.parse('2026-11-30T12:00:00Z');

function parked(more: Partial<Run> = {}): Run {
  return newRun({
    jobId: 'billing/send-invoices',
    key: '2026-11-30T05:00:00Z',
    fireTime: Date.parse('2026-11-30T05:00:00Z'),
    trigger: 'schedule',
    state: 'parked',
    reason: 'crashed',
    attentionAt: neverNeedsAttention,
    specId: 'spec',
    token: 'parked-token',
    createdAt: now,
    crashes: 1,
    ...more,
  });
}

/** What a release of the run leaves in a ledger. */
async function released(
  run: Run,
  verdict: Verdict,
  note?: string,
  wasDone?: boolean,
): Promise<{ answer: Answer; run: Run | null; failures: number | undefined }> {
  const ledger = memoryLedger();
  await ledger.publish({ jobId: run.jobId, from: 0, specId: 'spec', spec: null }, null);
  await ledger.create(run);
  const release = releaseRun(run, verdict, {
    token: 'new-token',
    now,
    ...{ by: 'ops', note, wasDone },
  });
  if (release.kind === 'refused') throw new Error(release.why);
  const { fence, change, effect } = release;
  const answer = await ledger.move(run, fence, change, { effect });
  return { answer, run: await ledger.run(run), failures: (await ledger.job(run.jobId))?.failuresInARow };
}

describe('a parked run that a person releases', () => {
  test('to run again waits for the slot with a new token, and has its turn', async () => {
    const { answer, run } = await released(parked(), 'rerun', 'bank confirmed that nothing was sent');
    expect(answer.kind).toBe('done');
    expect(run).toMatchObject({
      state: 'waiting',
      reason: 'slot',
      token: 'new-token',
      attentionAt: turnOf(run?.fireTime ?? Number.NaN, 'slot'),
      crashes: 1,
      note: 'bank confirmed that nothing was sent',
      released: { at: now, by: 'ops', as: 'rerun' },
    });
  });

  test('to run again begins from its start: it has no cursor any more, and its plain steps count no more', async () => {
    const { run } = await released(parked({ cursor: 7, restarts: 1, hops: 2 }), 'rerun');
    expect(run).toMatchObject({ restarts: 2, hops: 2 });
    expect(run).not.toHaveProperty('cursor');
  });

  test('to resume goes on where it was: its cursor and its steps stay', async () => {
    const { run } = await released(parked({ cursor: 7, restarts: 1, hops: 2 }), 'resume');
    expect(run).toMatchObject({
      ...{ state: 'waiting', reason: 'slot', cursor: 7, restarts: 1, hops: 2 },
      released: { at: now, by: 'ops', as: 'resume' },
    });
  });

  test('to run again is no more asked to end', async () => {
    const cancelRequested = { at: 0, by: 'ops', reason: 'operator' } as const;
    expect((await released(parked({ cancelRequested }), 'resume')).run).not.toHaveProperty('cancelRequested');
  });

  test('to run again has no error any more, and no note that nobody made', async () => {
    const { run } = await released(parked({ error: { name: 'Error', message: 'no bank' } }), 'rerun');
    expect(run?.error).toBeUndefined();
    expect(run).not.toHaveProperty('note');
  });

  test('to fail is settled, keeps why it was parked, and counts as a failure of its job', async () => {
    const { run, failures } = await released(parked(), 'fail');
    expect(run).toMatchObject({ state: 'failed', reason: 'crashed', settledAt: now });
    expect(run?.attentionAt).toBeUndefined();
    expect(run).not.toHaveProperty('note');
    expect(run?.released).toEqual({ at: now, by: 'ops', as: 'fail' });
    expect(failures).toBe(1);
  });

  test('a second person’s decision about the same record is refused by the fence', async () => {
    const ledger = memoryLedger();
    await ledger.publish({ jobId: 'billing/send-invoices', from: 0, specId: 'spec', spec: null }, null);
    await ledger.create(parked());
    const decisions = (['rerun', 'fail'] as const).map((verdict) =>
      releaseRun(parked(), verdict, { token: verdict, now, by: 'ops' }),
    );
    const answers: string[] = [];
    for (const decision of decisions) {
      if (decision.kind === 'refused') throw new Error(decision.why);
      const { fence, change } = decision;
      answers.push((await ledger.move(parked(), fence, change)).kind);
    }
    expect(answers).toEqual(['done', 'refused']);
  });
});

describe('a run that is parked for a step of which nobody knows', () => {
  const uncertain = parked({ reason: 'uncertain-step', uncertain: 'pay' });
  const told = (verdict: Verdict, wasDone: boolean | undefined, run = uncertain) =>
    releaseRun(run, verdict, { token: 'new', now, by: 'ops', wasDone });

  test.each(['rerun', 'resume'] as const)(
    'is released by --%s only with what became of it',
    async (verdict) => {
      expect(told(verdict, undefined)).toEqual({
        kind: 'refused',
        why: 'nobody knows whether its step "pay" was done: look, then add --done or --not-done',
      });
      const { run } = await released(uncertain, verdict, undefined, true);
      expect(run).toMatchObject({
        state: 'waiting',
        released: { as: verdict, step: { name: 'pay', done: true } },
      });
      expect(run).not.toHaveProperty('uncertain');
    },
  );

  test('fails without it', async () => {
    expect(told('fail', true)).toMatchObject({ kind: 'refused' });
    expect((await released(uncertain, 'fail')).run).toMatchObject({
      ...{ state: 'failed', reason: 'uncertain-step', uncertain: 'pay' },
    });
  });

  test('is the only one of which it is asked', () => {
    expect(told('resume', false, parked())).toEqual({
      kind: 'refused',
      why: 'billing/send-invoices#2026-11-30T05:00:00Z is parked for no step: leave out --done and --not-done',
    });
  });

  test('has that step as its record says, or as begun where there is none', () => {
    const step = { name: 'pay', kind: 'once', state: 'begun', at: 1, restarts: 0, token: 't' } as const;
    expect(uncertainStep(uncertain, [{ ...step, name: 'other' }, step], now)).toBe(step);
    expect(uncertainStep(uncertain, [], now)).toEqual({ ...step, at: now, token: 'parked-token' });
    expect(uncertainStep(parked(), [step], now)).toBeNull();
  });
});

test('released to run again, a run that crashed is started by the next sweep, under its own number', async () => {
  const job = manifestJob({ crashed: 'park', schedule: cron('0 * * * *') });
  const world = new World(at('02:30'), [job]);
  await world.sweep();
  const run = await deliver(world, job, at('03:00'));
  await world.sweepAt(at('03:10'));
  expect(await world.lines()).toEqual(['03:00 parked crashed']);

  const [parked] = await world.runs();
  const release = releaseRun(parked ?? run, 'rerun', { token: 'released', now: at('03:20'), by: 'ops' });
  if (release.kind === 'refused') throw new Error(release.why);
  await world.ledger.move(run, release.fence, release.change);
  await world.sweepAt(at('03:21'));

  const taken = await take(world, world.invoked[0] ?? run, job);
  await succeed(world, taken);
  expect(await world.lines()).toEqual(['03:00 succeeded']);
  const [after] = await world.runs();
  expect(after?.attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
    [1, 'crashed'],
    [2, 'succeeded'],
  ]);
});

test.each([...openStates, ...terminalStates].filter((state) => state !== 'parked'))(
  'a run that is %s is no person’s to decide',
  (state) => {
    expect(releaseRun(parked({ state }), 'rerun', { token: 'new', now, by: 'ops' })).toEqual({
      kind: 'refused',
      why: `billing/send-invoices#2026-11-30T05:00:00Z is ${state}; only a parked run waits for a person's decision`,
    });
  },
);
