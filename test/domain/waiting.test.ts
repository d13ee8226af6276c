import { describe, expect, test } from 'vitest';
import { patienceMs } from '../../functions/domain/admission.ts';
import { noCatchUp } from '../../functions/domain/catch-up.ts';
import { offerLifeMs } from '../../functions/domain/offer.ts';
import { newRun, type Run, turnOf, type Wait, waitsSince } from '../../functions/domain/run.ts';
import { claimOf, offerOf } from '../../functions/domain/start.ts';
import { minute, second } from '../../functions/domain/time.ts';
import {
  admission,
  joinPools,
  standBack,
  waitedMsOf,
  waiterOf,
  waitForPools,
} from '../../functions/domain/waiting.ts';
import { at, manifestJob } from '../support/jobs.ts';

const pools = { 'reports-db': 2, mail: 1 };
const job = manifestJob({ pools, priority: 3 });
const free = manifestJob({ pools, overlap: 'allow' });
const entry = { token: 'mine', requestId: 'r', pid: 1, now: at('12:00:02'), remainingMs: 5 * minute };
const claim = claimOf(job, at('12:00'), entry);
const now = at('12:10');
const by = { catchUp: noCatchUp, token: 'new', now };
const counted = [
  { pool: 'reports-db', addWaiting: 1 },
  { pool: 'mail', addWaiting: 1 },
];
const left = [
  { pool: 'reports-db', addWaiting: -1 },
  { pool: 'mail', addWaiting: -1 },
];
const taken = [
  { pool: 'reports-db', hold: { kind: 'take', weight: 2 } },
  { pool: 'mail', hold: { kind: 'take', weight: 1 } },
];

const { holds: _holds, attentionAt: _lease, ...unstarted } = claim.run;
/** A run that waits since 12:02. */
const waits = (of: Partial<Run>): Run =>
  newRun({
    ...{
      ...unstarted,
      state: 'waiting',
      attempts: [],
      hasSlot: false,
      token: 'w',
      waitingSince: at('12:02'),
    },
    ...of,
  });
const atPools = waits({ reason: 'pool', waitsFor: pools, hasSlot: true });
const atSlot = waits({ reason: 'slot' });
const missed = waits({ reason: 'catch-up', trigger: 'backfill' });

describe('a fire whose pools are full', () => {
  test('takes its slot and is counted at its pools, in one write; what else must hold is what a start requires', () => {
    const { run, effect } = waitForPools(claim, { token: 'mine', now: at('12:00:03') });
    expect(run).toEqual(
      waits({
        ...{ reason: 'pool', waitsFor: pools, hasSlot: true, token: 'mine' },
        ...{ createdAt: at('12:00:03'), waitingSince: at('12:00:03') },
        attentionAt: turnOf(at('12:00'), 'pool'),
      }),
    );
    expect(effect).toEqual({ ...claim.effect, pools: counted });
  });

  test('has no slot where its job has none', () => {
    const { run, effect } = waitForPools(claimOf(free, at('12:00'), entry), { token: 'mine', now });
    expect(run.hasSlot).toBe(false);
    expect(effect).not.toHaveProperty('slot');
  });

  test('waits the same when it is the reconciler that would have offered it', () => {
    const fire = { jobId: job.id, fireTime: at('12:00'), specId: job.specId };
    const offer = offerOf(job, fire, { token: 'o', now });
    const { run, effect } = waitForPools(offer, { token: 'o', now });
    expect(run).toMatchObject({ state: 'waiting', reason: 'pool', waitsFor: pools, hasSlot: true });
    expect(run).not.toHaveProperty('holds');
    expect(effect).toEqual({ ...offer.effect, pools: counted });
  });
});

describe('what admission knows of a waiter', () => {
  test('is what its job needs by now, whose priority it has, and since when it is counted', () => {
    const waiter = { id: 'billing/send-invoices#2026-12-01T12:00:00Z', priority: 3, since: at('12:02') };
    expect(waiterOf(atPools, job, now)).toEqual({ ...waiter, needs: pools });
    expect(waiterOf(atPools, { ...job, pools: { mail: 5 } }, now)).toMatchObject({ needs: { mail: 5 } });
    expect(waiterOf(atPools, manifestJob(), now)).toMatchObject({ needs: {}, priority: 0 });
  });

  test('is one step less of priority for a made-up run', () => {
    expect(waiterOf(missed, job, now).priority).toBe(2);
    expect(waiterOf(missed, manifestJob(), now).priority).toBe(-1);
  });

  test('is that it begins to wait now, where it was not counted at pools yet', () => {
    expect(waiterOf(atSlot, job, now).since).toBe(now);
    expect(waiterOf(missed, job, now).since).toBe(now);
  });
});

describe('a waiting run that is admitted', () => {
  test('from its pools keeps its slot, takes what it needs, and is counted there no more', () => {
    const { fence, change, effect } = admission(atPools, job, by);
    expect(fence).toEqual({ state: 'waiting', token: 'w' });
    expect(change).toEqual({
      set: {
        ...{ state: 'offered', token: 'new', attentionAt: now + offerLifeMs(job.graceMs) },
        ...{ holds: pools, hasSlot: true },
        waits: [{ reason: 'pool', from: at('12:02'), until: now, pools }],
      },
      clear: ['reason', 'waitsFor', 'waitingSince', 'seniority'],
    });
    expect(effect).toEqual({
      require: { unpaused: true },
      pools: taken.map((one, index) => ({ ...one, ...left[index] })),
    });
  });

  test('from the slot takes slot and pools at once, and is one less that waits for the slot', () => {
    const { effect } = admission(atSlot, job, by);
    expect(effect).toEqual({ require: { unpaused: true }, slot: 'take', addQueued: -1, pools: taken });
  });

  test('of a missed fire counts for the rate as well', () => {
    const catchUp = { ...noCatchUp, waiting: 1 };
    expect(admission(missed, job, { ...by, catchUp }).effect).toEqual({
      require: { unpaused: true, catchUp },
      slot: 'take',
      set: { catchUp: { waiting: 0, minute: now, admitted: 1 } },
      pools: taken,
    });
  });

  test('takes what its job needs by now, and leaves where it was counted before', () => {
    const { change, effect } = admission(atPools, { ...job, pools: { disk: 4 } }, by);
    expect(change.set.holds).toEqual({ disk: 4 });
    expect(effect.pools).toEqual([{ pool: 'disk', hold: { kind: 'take', weight: 4 } }, ...left]);
  });

  test('of a job that needs pools no more holds none: what it once held is off its record', () => {
    const before = { ...atPools, holds: pools };
    const { change, effect } = admission(before, manifestJob(), by);
    expect(change.clear).toContain('holds');
    expect(change.set).not.toHaveProperty('holds');
    expect(effect.pools).toEqual(left);
  });

  test('gives its slot back with its finish, though its job has none any more', () => {
    const { change, effect } = admission(atPools, free, by);
    expect(change.set.hasSlot).toBe(true);
    expect(effect).not.toHaveProperty('slot');
  });
});

describe('a run whose turn for the slot has come, and whose pools are full', () => {
  test('takes the slot and waits for them, counted there and no more in the queue', () => {
    expect(joinPools(atSlot, job, by)).toEqual({
      fence: { state: 'waiting', token: 'w' },
      change: {
        set: {
          ...{ state: 'waiting', reason: 'pool', waitsFor: pools, waitingSince: now },
          ...{ attentionAt: turnOf(at('12:00'), 'pool'), hasSlot: true, token: 'new' },
          waits: [{ reason: 'slot', from: at('12:02'), until: now }],
        },
      },
      effect: { require: { unpaused: true }, slot: 'take', addQueued: -1, pools: counted },
    });
  });

  test('stays as it is where it waits for pools already, or needs none', () => {
    expect(joinPools(atPools, job, by)).toBeNull();
    expect(joinPools(atSlot, manifestJob(), by)).toBeNull();
  });

  test('and was missed stays out of its job’s way for a while, then waits for them like others', () => {
    const early = { ...by, now: waitsSince(missed) + patienceMs - 1 };
    expect(joinPools(missed, job, early)).toBeNull();
    const catchUp = { ...noCatchUp, waiting: 1 };
    const late = joinPools(missed, job, { ...early, catchUp, now: waitsSince(missed) + patienceMs });
    expect(late?.effect).toMatchObject({
      ...{ require: { unpaused: true, catchUp }, slot: 'take', pools: counted },
      set: { catchUp: { waiting: 0, admitted: 1 } },
    });
  });

  test('takes no slot where its job has none', () => {
    expect(joinPools(atSlot, free, by)?.effect).toEqual({
      require: { unpaused: true },
      addQueued: -1,
      pools: counted,
    });
  });
});

test('a run that waits for pools stands back while its job is paused: it keeps no slot, and nobody from its pools', () => {
  expect(standBack(atPools, { token: 'new', now })).toEqual({
    fence: { state: 'waiting', token: 'w' },
    change: {
      set: {
        ...{ state: 'waiting', reason: 'slot', attentionAt: turnOf(at('12:00'), 'slot') },
        ...{ hasSlot: false, waitingSince: now, token: 'new' },
        waits: [{ reason: 'pool', from: at('12:02'), until: now, pools }],
      },
      clear: ['waitsFor'],
    },
    effect: { slot: 'free', addQueued: 1, pools: left },
  });
  const { effect } = standBack({ ...atPools, hasSlot: false }, { token: 'new', now });
  expect(effect).toEqual({ addQueued: 1, pools: left });
});

describe('how long a run waited for its pools', () => {
  const wait = (from: string, until: string, of: Partial<Wait> = {}): Wait => ({
    ...({ reason: 'pool', from: at(from), until: at(until), pools: { 'reports-db': 1 } } as const),
    ...of,
  });
  const attempt = (number: number, startedAt: number, settledAt?: number) => ({
    ...{ number, token: 't', requestId: 'r', pid: 1, startedAt, leaseUntil: startedAt + minute },
    ...(settledAt !== undefined && { settledAt }),
  });

  test('adds up over all waits before its first attempt, for each pool; other waits do not count', () => {
    const waited = [
      wait('12:00:00', '12:00:10', { reason: 'slot' }),
      wait('12:00:10', '12:00:40', { pools }),
      wait('12:01:00', '12:01:05'),
      wait('12:01:05', '12:01:06', { pools: {} }),
    ];
    const attempts = [attempt(1, at('12:02'))];
    expect(waitedMsOf({ waits: waited, attempts })).toEqual({ 'reports-db': 35 * second, mail: 30 * second });
    expect(waitedMsOf({ attempts })).toEqual({});
  });

  test('is of each attempt its own: what was waited for before an earlier one is on that one’s bill', () => {
    const waited = [wait('12:00:00', '12:01:00'), wait('12:05:00', '12:05:07')];
    const later = attempt(2, at('12:06'));
    const settled = [attempt(1, at('12:01'), at('12:04')), later];
    expect(waitedMsOf({ waits: waited, attempts: settled })).toEqual({ 'reports-db': 7 * second });
    expect(waitedMsOf({ waits: waited, attempts: [attempt(1, at('12:01')), later] })).toEqual({
      'reports-db': 7 * second,
    });
  });
});
