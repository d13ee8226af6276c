import { describe, expect, test } from 'vitest';
import type { Answer } from '../../functions/domain/ledger.ts';
import { releaseRun } from '../../functions/domain/release.ts';
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
  verdict: 'rerun' | 'fail',
  note?: string,
): Promise<{ answer: Answer; run: Run | null; failures: number | undefined }> {
  const ledger = memoryLedger();
  await ledger.publish({ jobId: run.jobId, from: 0, specId: 'spec', spec: null }, null);
  await ledger.create(run);
  const release = releaseRun(run, verdict, {
    token: 'new-token',
    now,
    by: 'ops',
    ...(note === undefined ? {} : { note }),
  });
  if (release.kind === 'refused') throw new Error(release.why);
  const { fence, change, effect } = release;
  const answer = await ledger.move(run, fence, change, effect ? { effect } : {});
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
