import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admissible, noCatchUp, startsSoon } from '../../functions/domain/catch-up.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { drop, droppedFromQueue, mostQueued, queuedRun } from '../../functions/domain/queue.ts';
import { newRun, type Run, turnOf } from '../../functions/domain/run.ts';
import { claimOf, decideStart, offerOf } from '../../functions/domain/start.ts';
import { minute } from '../../functions/domain/time.ts';
import { admission } from '../../functions/domain/waiting.ts';
import { at, jobState, manifestJob } from '../support/jobs.ts';

const job = manifestJob({ overlap: 'queue' });
const one = manifestJob({ overlap: 'queue-one' });
const entry = { token: 'mine', requestId: 'r', pid: 1, now: at('12:00:02'), remainingMs: 5 * minute };
const claim = claimOf(job, at('12:00'), entry);
const fire = { jobId: job.id, fireTime: at('12:00'), specId: job.specId };

/** A fire that has to wait for the slot since it was due. */
function waits(time: string, of: Partial<Run> = {}): Run {
  const fireTime = at(time);
  return newRun({
    ...{ jobId: job.id, key: fireKey(fireTime), fireTime, specId: job.specId, createdAt: fireTime },
    ...{ trigger: 'schedule', state: 'waiting', reason: 'slot', token: `of ${time}` },
    ...of,
  });
}

const times = (dropped: readonly { run: Run; reason: string }[]) =>
  dropped.map(({ run, reason }) => `${run.key.slice(11, 16)} ${reason}`);

describe('a start of a job whose fires queue', () => {
  test.each([job, one])('requires that nobody waits, besides the free slot ($overlap)', (queueing) => {
    const offer = offerOf(queueing, fire, { token: 'o', now: at('12:00') });
    for (const { effect } of [claimOf(queueing, at('12:00'), entry), offer])
      expect(effect).toMatchObject({ require: { unqueued: true }, slot: 'take' });
  });

  test.each(['skip', 'allow'] as const)('and of none that %s requires it', (overlap) => {
    const { effect } = claimOf(manifestJob({ overlap }), at('12:00'), entry);
    expect(effect.require).not.toHaveProperty('unqueued');
  });

  test.each([
    ['the slot is taken', { slot: 'another' }],
    ['others wait, though the slot is free', { queued: 1 }],
    ['others wait for the taken slot', { slot: 'another', queued: 2 }],
  ])('has to queue where %s', (_what, of) => {
    expect(decideStart({ kind: 'refused', job: jobState(job, of) }, claim)).toEqual({ kind: 'queue' });
  });

  test('is skipped, a stray or a duplicate before it has to queue', () => {
    const taken = { slot: 'another', queued: 1 };
    const refused = (of: Parameters<typeof jobState>[1]) =>
      decideStart({ kind: 'refused', job: jobState(job, { ...taken, ...of }) }, claim).kind;
    expect(refused({ paused: { at: 0, by: 'ops', note: '' } })).toBe('skip');
    expect(refused({ specId: 'another' })).toBe('other-spec');
    expect(refused({ specSince: at('12:00') })).toBe('other-spec');
    const standing = waits('12:00');
    const both = decideStart({ kind: 'refused', run: standing, job: jobState(job, taken) }, claim);
    expect(both).toEqual({ kind: 'duplicate', of: standing });
  });

  test('collided where nothing stands in its way any more', () => {
    expect(decideStart({ kind: 'refused', job: jobState(job) }, claim)).toEqual({ kind: 'conflict' });
  });
});

test('a fire that has to queue waits in its turn, and requires of its job what a start does but for the slot', () => {
  const { run, effect } = queuedRun(fire, claim.effect, { token: 'mine', now: at('12:00:02') });
  expect(run).toEqual(
    waits('12:00', {
      token: 'mine',
      createdAt: at('12:00:02'),
      waitingSince: at('12:00:02'),
      attentionAt: turnOf(at('12:00'), 'slot'),
    }),
  );
  expect(effect).toEqual({
    require: { unpaused: true, specId: job.specId, inForceBefore: at('12:00') },
    addQueued: 1,
  });
});

describe('of the fires in a queue', () => {
  const three = [waits('12:02'), waits('12:00'), waits('12:01')];
  const now = at('12:10');

  test('all wait that may, and beyond that the oldest give way', () => {
    expect(droppedFromQueue({ ...job, maxQueued: 3 }, three, now)).toEqual([]);
    expect(times(droppedFromQueue({ ...job, maxQueued: 1 }, three, now))).toEqual([
      '12:00 superseded',
      '12:01 superseded',
    ]);
  });

  test('a hundred may wait unless the job says otherwise, and of queue-one the newest', () => {
    expect([mostQueued(job), mostQueued(one)]).toEqual([100, 1]);
    expect(times(droppedFromQueue(one, three, now))).toEqual(['12:00 superseded', '12:01 superseded']);
  });

  test('none gives way once the job queues no more', () => {
    for (const overlap of ['skip', 'allow'] as const)
      expect(droppedFromQueue(manifestJob({ overlap }), three, now)).toEqual([]);
  });

  test('where the job has no slot, a hundred may wait for pools, and beyond that the oldest give way', () => {
    const allowing = manifestJob({ overlap: 'allow' });
    const atPools = Array.from({ length: 102 }, (_, index) => ({
      ...waits('12:00', { reason: 'pool' as const }),
      fireTime: at('12:00') + index * minute,
    }));
    const dropped = droppedFromQueue(allowing, atPools, at('14:00'));
    expect(dropped.map(({ run, reason }) => [run.fireTime - at('12:00'), reason])).toEqual([
      [0, 'superseded'],
      [minute, 'superseded'],
    ]);
  });

  test('one that has waited longer than it may is dropped, and does not count among the others', () => {
    const patient = { ...job, maxQueued: 2, maxWaitMs: 10 * minute };
    expect(droppedFromQueue(patient, three.slice(1), now)).toEqual([]);
    expect(times(droppedFromQueue(patient, three, now + 1))).toEqual(['12:00 waited-too-long']);
  });

  test('it is when it began to wait that counts, not when it was due', () => {
    const late = waits('12:00', { createdAt: at('12:03') });
    expect(droppedFromQueue({ ...job, maxWaitMs: 8 * minute }, [late], now)).toEqual([]);
  });

  test.each([
    ['a person released', { attempts: [{ ...entry, number: 1, startedAt: 0, leaseUntil: 1 }] }],
    ['a person started', { trigger: 'manual' }],
    ['is made up', { trigger: 'backfill' }],
    ['was offered before its job was paused', { reoffers: 1 }],
  ] as const)('none is dropped, or counted among them, that %s', (_what, of) => {
    const stays = waits('11:00', of);
    expect(droppedFromQueue({ ...one, maxWaitMs: minute }, [stays], now)).toEqual([]);
    expect(droppedFromQueue(one, [stays, waits('12:00')], now)).toEqual([]);
  });

  test('as many stay as may, the newest, for any queue', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 59 })),
        fc.integer({ min: 1, max: 20 }),
        (minutes, most) => {
          const queue = minutes.map((each) => waits(`12:${String(each).padStart(2, '0')}`));
          const dropped = droppedFromQueue({ ...job, maxQueued: most }, queue, at('13:00')).map(
            ({ run }) => run,
          );
          const newest = [...queue].sort((a, b) => b.fireTime - a.fireTime).slice(0, most);
          expect(new Set(queue.filter((run) => !dropped.includes(run)))).toEqual(new Set(newest));
        },
      ),
    );
  });

  test('one that is dropped is settled by its fence, and waits no more', () => {
    const dropped = { run: waits('12:00'), reason: 'waited-too-long' } as const;
    const ended = { state: 'skipped', reason: 'waited-too-long', settledAt: now, hasSlot: false } as const;
    expect(drop(dropped, { token: 'new', now })).toEqual({
      fence: { state: 'waiting', token: 'of 12:00' },
      change: {
        set: { ...ended, token: 'new', waits: [{ reason: 'slot', from: at('12:00'), until: now }] },
        clear: ['attentionAt'],
      },
      effect: { addQueued: -1 },
    });
  });
});

describe('admission from a queue', () => {
  const known = { now: at('12:10'), caughtUp: true, oldestOwed: null };
  const missed = waits('11:00', { trigger: 'backfill', reason: 'catch-up' });
  const waiting = [missed, waits('12:01'), waits('12:00')];

  test('is of the oldest alone, before any missed one, once the slot is free', () => {
    expect(admissible(job, jobState(job, { queued: 2 }), waiting, known)).toEqual([waits('12:00')]);
    expect(admissible(job, jobState(job, { queued: 2, slot: 'taken' }), waiting, known)).toEqual([]);
  });

  test('comes soon while the slot is taken, and not while the job is paused', () => {
    const taken = jobState(job, { queued: 2, slot: 'taken' });
    expect(startsSoon(job, taken, waiting, known)).toBe(true);
    expect(startsSoon(job, { ...taken, paused: { at: 0, by: 'ops', note: '' } }, waiting, known)).toBe(false);
  });

  test('takes the slot and is one less that waits, in one write', () => {
    const given = { catchUp: noCatchUp, token: 'new', now: known.now };
    const { fence, change, effect } = admission(waits('12:00'), job, given);
    expect(fence).toEqual({ state: 'waiting', token: 'of 12:00' });
    expect(change).toMatchObject({ set: { state: 'offered', hasSlot: true } });
    expect(change.clear).toEqual(['reason', 'waitsFor', 'waitingSince', 'seniority', 'holds']);
    expect(effect).toEqual({ require: { unpaused: true }, slot: 'take', addQueued: -1 });
  });
});
