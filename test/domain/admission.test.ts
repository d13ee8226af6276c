import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admit, type Pools, patienceMs, standings, type Waiter } from '../../functions/domain/admission.ts';
import { minute, second } from '../../functions/domain/time.ts';
import { at } from '../support/jobs.ts';
import { holds } from '../support/property.ts';

const now = at('12:00');

/** Pools of which so much is free. Of 8, unless a test says otherwise. */
function pools(free: Readonly<Record<string, number>>, capacity = 8): Pools {
  return new Map(Object.entries(free).map(([name, left]) => [name, { capacity, free: left }]));
}

/** Waits for one unit of `db` since just now, unless a test says otherwise. */
function waiter(id: string, of: Partial<Waiter> = {}): Waiter {
  return { id, needs: { db: 1 }, priority: 0, since: now, ...of };
}

const patient = { since: now - patienceMs + 1 };
const overdue = { since: now - patienceMs };
const older = { since: overdue.since - second };

const ids = (waiters: readonly Waiter[]) => waiters.map(({ id }) => id).join(' ');
const admitted = (free: Pools, ...waiters: Waiter[]) => ids(admit(free, waiters, now));

describe('who goes first', () => {
  test('nobody, where nobody waits', () => {
    expect(admit(pools({ db: 8 }), [], now)).toEqual([]);
  });

  test('the higher priority, however young', () => {
    const waiters = [waiter('low', patient), waiter('high', { priority: 1 })];
    expect(admitted(pools({ db: 1 }), ...waiters)).toBe('high');
    expect(admitted(pools({ db: 2 }), ...waiters)).toBe('high low');
  });

  test('of one priority the older, and of one age the smaller id', () => {
    const waiters = [waiter('a'), waiter('c', { since: now - 1 }), waiter('b', { since: now - 1 })];
    expect(admitted(pools({ db: 2 }), ...waiters)).toBe('b c');
  });

  test('what is made up, one step lower, after live fires of its job', () => {
    const waiters = [waiter('made up', { ...patient, priority: -1 }), waiter('live')];
    expect(admitted(pools({ db: 1 }), ...waiters)).toBe('live');
  });

  test('one past its patience, whatever its priority', () => {
    const low = waiter('low', { ...overdue, priority: -5 });
    expect(admitted(pools({ db: 1 }), waiter('high', { priority: 5 }), low)).toBe('low');
    expect(admitted(pools({ db: 1 }), waiter('high', { priority: 5 }), { ...low, ...patient })).toBe('high');
  });

  test('of those past their patience the oldest, whatever its priority', () => {
    const waiters = [waiter('high', { ...overdue, priority: 5 }), waiter('old', older)];
    expect(admitted(pools({ db: 2 }), ...waiters)).toBe('old high');
  });

  test('patience is five minutes, from the instant since when it waits', () => {
    expect(patienceMs).toBe(5 * minute);
    const heavy = waiter('heavy', { needs: { db: 8 }, since: at('11:55') });
    const reserves = (instant: number) => standings(pools({ db: 1 }), [heavy], instant)[0]?.reserves;
    expect(reserves(at('12:00') - 1)).toBe(false);
    expect(reserves(at('12:00'))).toBe(true);
  });

  test('the same ones, in whatever order they are given', () => {
    const some = fc.record({
      needs: fc.dictionary(fc.constantFrom('db', 'mail', 'gone'), fc.integer({ min: 1, max: 4 })),
      priority: fc.integer({ min: -1, max: 1 }),
      since: fc.constantFrom(now, patient.since, overdue.since, older.since),
    });
    const worlds = fc
      .array(some, { maxLength: 8 })
      .map((waiters) => waiters.map((one, index) => ({ id: `${index}`, ...one })))
      .chain((waiters) => fc.tuple(fc.constant(waiters), fc.shuffledSubarray(waiters, fullSize(waiters))));
    const free = pools({ db: 4, mail: 2 });
    return holds(
      fc.property(worlds, ([waiters, shuffled]) => {
        expect(standings(free, shuffled, now)).toEqual(standings(free, waiters, now));
      }),
    );
  });
});

function fullSize({ length }: readonly unknown[]): { minLength: number; maxLength: number } {
  return { minLength: length, maxLength: length };
}

describe('who gets something', () => {
  test('several pools all at once, or none of them', () => {
    const both = waiter('both', { needs: { db: 1, mail: 2 } });
    expect(admitted(pools({ db: 1, mail: 2 }), both)).toBe('both');
    expect(admitted(pools({ db: 8, mail: 1 }), both)).toBe('');
    const rival = waiter('rival', { needs: { db: 8 }, priority: -1 });
    expect(admitted(pools({ db: 8, mail: 1 }), both, rival)).toBe('rival');
  });

  test('what one takes, nobody behind it gets', () => {
    const waiters = ['a', 'b', 'c', 'd'].map((id) => waiter(id, { needs: { db: 2 } }));
    expect(admitted(pools({ db: 5 }), ...waiters)).toBe('a b');
  });

  test('one that is light, though a heavier one before it has to wait on: nothing lies idle', () => {
    const heavy = waiter('heavy', { needs: { db: 4 }, priority: 1, ...patient });
    expect(admitted(pools({ db: 3 }), heavy, waiter('light', { needs: { db: 3 } }))).toBe('light');
  });

  test('all who need nothing of a full pool, whoever waits for it', () => {
    const stuck = Array.from({ length: 1_000 }, (_, n) => waiter(`stuck ${n}`, { ...older, priority: 9 }));
    const mail = waiter('mail', { needs: { mail: 1 }, priority: -9 });
    expect(admitted(pools({ db: 0, mail: 1 }), ...stuck, mail)).toBe('mail');
  });

  test('one that needs nothing', () => {
    expect(admitted(pools({}), waiter('free', { needs: {} }))).toBe('free');
  });

  test('nobody of a pool that is overdrawn, nor of one that is unknown', () => {
    expect(admitted(pools({ db: -1 }), waiter('a'))).toBe('');
    expect(admitted(pools({ mail: 1 }), waiter('a'), waiter('b', overdue))).toBe('');
  });
});

describe('a heavy run', () => {
  const heavy = waiter('heavy', { needs: { db: 3 }, ...overdue });
  const light = [waiter('light 1'), waiter('light 2')];

  test('past its patience keeps what it needs from lighter ones, until it fits', () => {
    expect(admitted(pools({ db: 2 }), ...light, { ...heavy, ...patient })).toBe('light 1 light 2');
    expect(admitted(pools({ db: 2 }), ...light, heavy)).toBe('');
    expect(admitted(pools({ db: 3 }), ...light, heavy)).toBe('heavy');
  });

  test('leaves to others what it does not need of another pool, and nothing of what it does', () => {
    const both = { ...heavy, needs: { db: 3, mail: 2 } };
    const mail = ['m1', 'm2', 'm3'].map((id) => waiter(id, { needs: { mail: 1 } }));
    expect(admitted(pools({ db: 2, mail: 4 }), both, ...light, ...mail)).toBe('m1 m2');
  });

  test('is behind older ones that reserve too, and keeps what is left by them', () => {
    const first = waiter('first', { needs: { db: 5 }, ...older });
    expect(admitted(pools({ db: 4 }), heavy, first, ...light)).toBe('');
    expect(admitted(pools({ db: 7 }), heavy, first, ...light)).toBe('first');
    expect(admitted(pools({ db: 8 }), heavy, first, ...light)).toBe('first heavy');
  });

  test('reserves nothing while it needs more than a pool has at all: it would wait in vain', () => {
    const huge = { ...heavy, needs: { db: 9, mail: 1 } };
    const lost = { ...heavy, needs: { gone: 1, mail: 1 } };
    for (const vain of [huge, lost])
      expect(admitted(pools({ db: 1, mail: 1 }), vain, waiter('mail', { needs: { mail: 1 } }))).toBe('mail');
  });
});

describe('standings, for people', () => {
  test('tell each one its place, what it lacks, and whether it reserves', () => {
    const waiters = [
      waiter('late', { priority: -1, needs: { db: 1, mail: 1 } }),
      waiter('report', { needs: { db: 6 }, ...overdue }),
      waiter('export', { needs: { mail: 2 } }),
      waiter('mail', { needs: { mail: 1 }, priority: 2 }),
    ];
    const lines = standings(pools({ db: 5, mail: 2 }), waiters, now).map(
      ({ waiter: { id }, position, lacks, reserves, admitted: goes }) =>
        `${position} ${id}: ${goes ? 'admitted' : `lacks ${lacks}`}${reserves ? ', reserves' : ''}`,
    );
    expect(lines).toEqual([
      '1 report: lacks db, reserves',
      '2 mail: admitted',
      '3 export: lacks mail',
      '4 late: lacks db',
    ]);
  });

  test('name all the pools that one lacks, and none of one that is admitted', () => {
    const both = waiter('both', { needs: { db: 2, mail: 1, gone: 1 } });
    expect(standings(pools({ db: 1, mail: 1 }), [both], now)).toEqual([
      { waiter: both, position: 1, lacks: ['db', 'gone'], reserves: false, admitted: false },
    ]);
    expect(standings(pools({ db: 1 }), [waiter('a', overdue)], now)).toMatchObject([
      { lacks: [], reserves: false, admitted: true },
    ]);
  });

  test('give back the very waiters, and leave what they were given as it was', () => {
    const mine = { ...waiter('a'), of: 'somebody' };
    const others = [waiter('z'), mine] as const;
    const free = pools({ db: 2 });
    expect(admit(free, [mine], now)[0]).toBe(mine);
    standings(free, others, now);
    expect(others.map(({ id }) => id)).toEqual(['z', 'a']);
    expect(free.get('db')?.free).toBe(2);
  });
});
