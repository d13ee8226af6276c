import { describe, expect, test } from 'vitest';
import type { Answer } from '../../functions/domain/ledger.ts';
import { offerLifeMs } from '../../functions/domain/offer.ts';
import type { PoolState } from '../../functions/domain/pools.ts';
import {
  claimOf,
  decideStart,
  isDead,
  leaseUntil,
  offerOf,
  openingOf,
  skippedRun,
  startEffect,
  takenOrLost,
  takeOffer,
} from '../../functions/domain/start.ts';
import { minute } from '../../functions/domain/time.ts';
import { at, jobState, manifestJob } from '../support/jobs.ts';

const job = manifestJob();
const entry = { token: 'mine', requestId: 'r', pid: 1, now: at('12:00:02'), remainingMs: 5 * minute };
const fireTime = at('12:00');
const claim = claimOf(job, fireTime, entry);
const inForce = jobState(job, { specSince: at('11:00') });
const refusedBy = (state: typeof inForce): Answer => ({ kind: 'refused', job: state });

describe('a lease', () => {
  test('ends a minute after the time that the invocation has left', () => {
    expect(leaseUntil(at('12:00'), 5 * minute)).toBe(at('12:06'));
  });

  test('is given also to one that has no time left', () => {
    expect(leaseUntil(at('12:00'), -5 * minute)).toBe(at('12:01'));
  });
});

describe('what a start requires and takes of its job', () => {
  test('is its slot and its version in force, unpaused', () => {
    expect(startEffect(job)).toEqual({ require: { unpaused: true, specId: job.specId }, slot: 'take' });
  });

  test('is no slot where runs may overlap', () => {
    const free = manifestJob({ overlap: 'allow' });
    expect(startEffect(free)).toEqual({ require: { unpaused: true, specId: job.specId } });
    expect(claimOf(free, fireTime, entry).run.hasSlot).toBe(false);
  });

  test('is the same for the offer of a live fire that no alarm starts', () => {
    const fire = { jobId: job.id, fireTime, specId: job.specId };
    const { run, effect } = offerOf(job, fire, { token: 'offer', now: at('12:00:02') });
    expect(effect).toEqual(startEffect(job));
    expect(run).toEqual({
      ...fire,
      key: '2026-12-01T12:00:00Z',
      trigger: 'schedule',
      state: 'offered',
      token: 'offer',
      createdAt: at('12:00:02'),
      attentionAt: at('12:00:02') + offerLifeMs(job.graceMs),
      attempts: [],
      hasSlot: true,
      crashes: 0,
      duplicates: 0,
      reoffers: 0,
    });
  });

  test('is, for a delivery, a version that was in force before the fire was due', () => {
    expect(claim.effect.require).toEqual({ unpaused: true, specId: job.specId, inForceBefore: fireTime });
  });
});

describe('what a start came to', () => {
  const decide = (answer: Answer, of = claim) => decideStart(answer, of);
  const theirs = { ...claim.run, token: 'theirs' };

  test('is a run when it was written, also when the answer to that was lost', () => {
    expect(claim.run).toMatchObject({ state: 'running', trigger: 'schedule', attentionAt: at('12:06:02') });
    expect(decide({ kind: 'done' })).toEqual({ kind: 'run' });
    expect(decide({ kind: 'refused', run: claim.run })).toEqual({ kind: 'run' });
  });

  test('is a duplicate when the fire has a run, whatever else stands in the way', () => {
    const paused = jobState(job, { paused: { at: 0, by: 'ops', note: '' } });
    expect(decide({ kind: 'refused', run: theirs, job: paused })).toEqual({ kind: 'duplicate', of: theirs });
  });

  test('is a skip when the job is paused', () => {
    const paused = { ...inForce, paused: { at: 0, by: 'ops', note: '' }, slot: 'k' };
    expect(decide(refusedBy(paused))).toEqual({ kind: 'skip', reason: 'paused' });
  });

  test('is a skip when another run has the slot, and names it', () => {
    const taken = { ...inForce, slot: 'k' };
    expect(decide(refusedBy(taken))).toEqual({ kind: 'skip', reason: 'overlap', owner: 'k' });
  });

  test('is no skip for a slot that its job does not take', () => {
    const free = claimOf(manifestJob({ overlap: 'allow' }), fireTime, entry);
    expect(decide(refusedBy({ ...inForce, slot: 'k' }), free)).toEqual({ kind: 'conflict' });
  });

  test.each([
    ['another version is in force', { ...inForce, specId: 'other' }],
    ['its version took force at the very instant of the fire', { ...inForce, specSince: fireTime }],
    ['its version took force after the fire was due', { ...inForce, specSince: fireTime + 1 }],
  ])('is for no run of this version when %s', (_what, state) => {
    expect(decide(refusedBy(state))).toEqual({ kind: 'other-spec' });
  });

  test('is for no run of this version when the job is not known', () => {
    expect(decide({ kind: 'refused', job: null })).toEqual({ kind: 'other-spec' });
  });

  test('is not known when writes collided, or what stood in the way is gone', () => {
    expect(decide({ kind: 'conflict' })).toEqual({ kind: 'conflict' });
    expect(decide({ kind: 'refused' })).toEqual({ kind: 'conflict' });
    expect(decide(refusedBy(inForce))).toEqual({ kind: 'conflict' });
  });

  test('of an excluded fire is its record', () => {
    const excluding = { ...job, spec: { ...job.spec, except: ['2026-12-01'] } };
    const opening = openingOf(excluding, fireTime, entry);
    expect(opening.run).toMatchObject({ state: 'skipped', reason: 'excluded' });
    expect(opening.effect).toEqual({ require: { specId: job.specId, inForceBefore: fireTime } });
    expect(decide({ kind: 'done' }, opening)).toEqual({ kind: 'excluded' });
  });
});

describe('a start that needs pools', () => {
  const pools = { 'reports-db': 2, mail: 1 };
  const needing = manifestJob({ pools });
  const needs = claimOf(needing, fireTime, entry);
  const pool = (name: string, of: Partial<PoolState> = {}): PoolState => {
    return { name, capacity: 2, free: 2, waiting: 0, holds: {}, ...of };
  };
  const full = pool('reports-db', { free: 1, holds: { 'reports/inventory#x': 1 } });
  const awaited = pool('mail', { waiting: 1 });
  const decide = (refused: Omit<Extract<Answer, { kind: 'refused' }>, 'kind'>) =>
    decideStart({ kind: 'refused', ...refused }, needs);

  test('takes its weights where nobody waits, and has them on its record; so does an offer', () => {
    const taken = [
      { pool: 'reports-db', hold: { kind: 'take', weight: 2 }, require: { unwaited: true } },
      { pool: 'mail', hold: { kind: 'take', weight: 1 }, require: { unwaited: true } },
    ];
    const fire = { jobId: job.id, fireTime, specId: job.specId };
    for (const { run, effect } of [needs, offerOf(needing, fire, { token: 'o', now: at('12:00') })]) {
      expect(run.holds).toEqual(pools);
      expect(effect.pools).toEqual(taken);
    }
    expect(claim.run).not.toHaveProperty('holds');
    expect(claim.effect).not.toHaveProperty('pools');
  });

  test('waits where one has too little left or is waited for, and names those', () => {
    expect(decide({ pools: { 'reports-db': full } })).toEqual({ kind: 'wait', pools: [full] });
    expect(decide({ pools: { mail: awaited } })).toEqual({ kind: 'wait', pools: [awaited] });
    const both = { 'reports-db': full, mail: awaited };
    expect(decide({ pools: both })).toEqual({ kind: 'wait', pools: [full, awaited] });
  });

  test('is for no run of this version where a pool is not there yet, whatever the others are', () => {
    expect(decide({ pools: { mail: null } })).toEqual({ kind: 'other-spec' });
    expect(decide({ pools: { 'reports-db': full, mail: null } })).toEqual({ kind: 'other-spec' });
  });

  test('is a duplicate, a stray, a skip or a wait for the slot before it waits for pools', () => {
    const inTheWay = { pools: { 'reports-db': full } };
    const theirs = { ...needs.run, token: 'theirs' };
    const kindOf = (state: Partial<typeof inForce>) =>
      decide({ ...inTheWay, job: { ...inForce, ...state } }).kind;
    expect(decide({ ...inTheWay, run: theirs }).kind).toBe('duplicate');
    expect(kindOf({ specId: 'other' })).toBe('other-spec');
    expect(kindOf({ paused: { at: 0, by: 'ops', note: '' } })).toBe('skip');
    expect(kindOf({ slot: 'k' })).toBe('skip');
    const queueing = claimOf(manifestJob({ pools, overlap: 'queue' }), fireTime, entry);
    const answer = { kind: 'refused', ...inTheWay, job: { ...inForce, slot: 'k' } } as const;
    expect(decideStart(answer, queueing)).toEqual({ kind: 'queue' });
  });

  test('is its own run where its claim had landed, though its own hold stands in the way', () => {
    expect(decide({ run: needs.run, pools: { 'reports-db': full } })).toEqual({ kind: 'run' });
  });
});

describe('an offer', () => {
  test('is taken from its token by the entry’s own, with a lease', () => {
    expect(takeOffer({ token: 'offer', attempt: 2 }, entry)).toEqual({
      fence: { state: 'offered', token: 'offer' },
      change: {
        set: { state: 'running', token: 'mine', attentionAt: at('12:06:02') },
        attempt: {
          number: 2,
          token: 'mine',
          requestId: 'r',
          pid: 1,
          startedAt: at('12:00:02'),
          leaseUntil: at('12:06:02'),
        },
      },
    });
  });

  test('was taken when the record has the entry’s token, whatever the answer', () => {
    expect(takenOrLost({ kind: 'done', run: claim.run }, 'mine')).toBe(claim.run);
    expect(takenOrLost({ kind: 'refused', run: claim.run }, 'mine')).toBe(claim.run);
  });

  test('is lost when the record has another token, or is gone', () => {
    expect(takenOrLost({ kind: 'refused', run: claim.run }, 'other')).toBeNull();
    expect(takenOrLost({ kind: 'refused', run: null }, 'mine')).toBeNull();
    expect(takenOrLost({ kind: 'refused' }, 'mine')).toBeNull();
  });

  test('may be taken yet when writes collided', () => {
    expect(takenOrLost({ kind: 'conflict' }, 'mine')).toBe('conflict');
  });
});

test('the owner of a slot is dead from the last instant of its lease on, and only while it runs', () => {
  const { run } = claim;
  expect(isDead(run, at('12:06:02') - 1)).toBe(false);
  expect(isDead(run, at('12:06:02'))).toBe(true);
  expect(isDead({ ...run, state: 'offered' }, at('13:00'))).toBe(false);
  expect(isDead(null, at('13:00'))).toBe(false);
});

test('the record of a fire that is not going to run is settled from the start', () => {
  expect(skippedRun(job, fireTime, { reason: 'paused', token: 't', now: at('12:03') })).toMatchObject({
    key: '2026-12-01T12:00:00Z',
    trigger: 'schedule',
    state: 'skipped',
    reason: 'paused',
    createdAt: at('12:03'),
    settledAt: at('12:03'),
    hasSlot: false,
  });
});
