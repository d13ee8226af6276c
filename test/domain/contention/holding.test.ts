import { describe, expect, test } from 'vitest';
import { heldAgainst, staysOf, waitingsOf } from '../../../functions/domain/contention/holding.ts';
import { occupancies, sortedBy } from '../../../functions/domain/contention/occupancy.ts';
import { minute } from '../../../functions/domain/time.ts';
import { attempt, ran, readsOf } from '../../support/ran.ts';

const now = 100 * minute;
const at = (minutes: number) => minutes * minute;
const spans = (stays: ReturnType<typeof staysOf>) =>
  stays.map(({ from, until }) => [from / minute, until / minute]);

describe('a run has its place', () => {
  test('from when it was admitted, not from when its attempt began', () => {
    const wait = { reason: 'pool', from: at(1), until: at(5), pools: { db: 1 } } as const;
    const run = ran('a', [attempt(at(6), at(9))], { fireTime: at(1), waits: [wait] });
    expect(spans(staysOf(run, now))).toEqual([[5, 9]]);
  });

  test('from when a swept fire was offered', () => {
    const run = ran('a', [attempt(at(3), at(4))], { fireTime: at(1), createdAt: at(2) });
    expect(spans(staysOf(run, now))).toEqual([[2, 4]]);
  });

  test('between a crash and the attempt after it, and not after another failure', () => {
    const crashed = attempt(at(1), at(7), { outcome: 'crashed' });
    const again = attempt(at(9), at(10), { number: 2 });
    expect(spans(staysOf(ran('a', [crashed, again]), now))).toEqual([
      [1, 7],
      [7, 10],
    ]);
    const failed = { ...crashed, outcome: 'failed' } as const;
    expect(spans(staysOf(ran('a', [failed, again]), now))).toEqual([
      [1, 7],
      [9, 10],
    ]);
  });

  test('a second time only after the first, though the first began the moment its wait was over', () => {
    const wait = { reason: 'pool', from: at(0), until: at(1), pools: { db: 1 } } as const;
    const crashed = attempt(at(1), at(7), { outcome: 'crashed' });
    const again = attempt(at(9), at(10), { number: 2 });
    expect(spans(staysOf(ran('a', [crashed, again], { waits: [wait] }), now))).toEqual([
      [1, 7],
      [7, 10],
    ]);
  });

  test('while its offer is open, until now', () => {
    const run = ran('a', [], { state: 'offered', fireTime: at(97), createdAt: at(98) });
    expect(spans(staysOf(run, now))).toEqual([[98, 100]]);
  });
});

test('a run’s waits are those that are over, and the one that goes on', () => {
  const over = { reason: 'slot', from: at(1), until: at(2) } as const;
  const run = ran('a', [], {
    state: 'waiting',
    reason: 'pool',
    waits: [over],
    waitsFor: { db: 2 },
    waitingSince: at(90),
  });
  expect(waitingsOf(run, now)).toEqual([
    { ...over, isOver: true },
    { reason: 'pool', from: at(90), until: now, pools: { db: 2 }, isOver: false },
  ]);
});

describe('behind whom a run waited', () => {
  const victim = { jobId: 'victim', key: 'k' };
  const wait = { reason: 'pool', from: at(10), until: at(20), pools: { db: 2 }, isOver: true } as const;

  test('for pools: those that had of them at the time, weight times time first', () => {
    const long = ran('long', [attempt(at(5), at(25))], { holds: { db: 1 } });
    const heavy = ran('heavy', [attempt(at(12), at(20))], { holds: { db: 3, other: 1 } });
    const elsewhere = ran('elsewhere', [attempt(at(5), at(25))], { holds: { other: 9 } });
    const before = ran('before', [attempt(at(5), at(10))], { holds: { db: 3 } });
    expect(heldAgainst(victim, wait, { runs: [elsewhere, long, before, heavy], now })).toEqual([
      { run: heavy, weights: { db: 3 }, heldMs: at(8) },
      { run: long, weights: { db: 1 }, heldMs: at(10) },
    ]);
  });

  test('for the slot: runs of its job, one that waited for pools meanwhile included', () => {
    const poolWait = { reason: 'pool', from: at(12), until: at(15), pools: { db: 1 } } as const;
    const owner = ran('victim', [attempt(at(15), at(18))], { fireTime: at(12), waits: [poolWait] });
    const other = ran('other', [attempt(at(5), at(25))]);
    expect(heldAgainst(victim, { ...wait, reason: 'slot' }, { runs: [owner, other], now })).toEqual([
      { run: owner, weights: {}, heldMs: at(6) },
    ]);
  });
});

describe('who held a pool', () => {
  const range = { from: at(10), until: at(20) };
  const holder = ran('holder', [attempt(at(5), at(15), { bill: readsOf('db', 100) })], { holds: { db: 2 } });
  const meterer = ran('meterer', [attempt(at(18), at(30), { bill: readsOf('db', 600) })]);
  const waiter = ran('waiter', [], {
    ...{ state: 'waiting', reason: 'pool', waitsFor: { db: 3 }, waitingSince: at(16), fireTime: at(16) },
  });
  const stranger = ran('stranger', [attempt(at(5), at(25))], { holds: { other: 1 } });
  const runs = [holder, meterer, waiter, stranger];

  test('is who had of it, metered under its name or waited for it within the range, with what falls into it', () => {
    const found = occupancies(runs, { pool: 'db', capacity: 4, range, now: at(20) });
    expect(found).toMatchObject([
      {
        run: holder,
        held: { from: at(10), until: at(15) },
        weight: 2,
        share: 0.25,
        metered: { reads: 50 },
        goesOn: false,
      },
      { run: meterer, held: { from: at(18), until: at(20) }, weight: 0, share: 0, metered: { reads: 100 } },
      { run: waiter, held: null, attempt: null, weight: 3, waitedMs: at(4), goesOn: true },
    ]);
    expect(sortedBy('reads', found).map(({ run }) => run.jobId)).toEqual(['meterer', 'holder', 'waiter']);
    expect(sortedBy('held', found).map(({ run }) => run.jobId)).toEqual(['holder', 'meterer', 'waiter']);
  });

  test('of no pool, is every run of the time', () => {
    expect(occupancies(runs, { range, now: at(20) }).map(({ run }) => run.jobId)).toEqual([
      'holder',
      'meterer',
      'waiter',
      'stranger',
    ]);
  });
});
