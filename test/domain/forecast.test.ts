import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectationOf } from '../../functions/domain/forecast/duration.ts';
import {
  type Forecast,
  type ForecastOf,
  forecast,
  isWrong,
  type Limits,
} from '../../functions/domain/forecast/index.ts';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import { cron, every, type Schedule, spreadOf } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute, second } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { holds } from '../support/property.ts';

const from = at('00:00');
const nightly = cron('0 3 * * *');

interface Played extends Partial<JobEntry> {
  readonly schedule?: Schedule;
  /** Of its past successes; unless given, nothing is known. */
  readonly takes?: number;
}

/** A job that takes one unit of `db` at 03:00, unless a test says otherwise. */
function job(id: string, { takes, ...of }: Played = {}) {
  const entry = manifestJob({ id, schedule: nightly, pools: { db: 1 }, overlap: 'queue', ...of });
  return { entry, takes };
}

interface Of {
  readonly capacity?: number;
  readonly pools?: ForecastOf['pools'];
  readonly days?: number;
  readonly limits?: Limits;
}

/** Of one day and one pool of one unit, unless a test says otherwise. */
function foresee(jobs: readonly ReturnType<typeof job>[], of: Of = {}): Forecast {
  const { capacity = 1, pools = { db: { capacity } }, days = 1, limits } = of;
  const known = jobs.flatMap(({ entry, takes }) =>
    takes === undefined ? [] : [[entry.id, [takes]] as const],
  );
  return forecast({
    jobs: jobs.map(({ entry }) => entry),
    pools,
    durations: new Map(known),
    range: { from, to: from + days * day },
    ...(limits && { limits }),
  });
}

const poolOf = ({ pools: [pool] }: Forecast) => pool;
const suggestionOf = ({ suggestions: [suggestion] }: Forecast) => suggestion;
const jobOf = ({ jobs }: Forecast, id: string) => jobs.find((one) => one.id === id);

describe('how long a run is expected to take', () => {
  const timeoutMs = 5 * minute;

  test('as long as nine of ten of its past successes took at most', () => {
    const tenToOne = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((seconds) => seconds * second);
    expect(expectationOf({ timeoutMs }, tenToOne)).toEqual({ durationMs: 9 * second, samples: 10 });
  });

  test('only the newest 30 successes count', () => {
    const samples = [...Array.from({ length: 30 }, () => second), hour, hour, hour, hour];
    expect(expectationOf({ timeoutMs }, samples)).toEqual({ durationMs: second, samples: 30 });
  });

  test('of a job that never succeeded, its timeout, known to be a guess', () => {
    expect(expectationOf({ timeoutMs }, [])).toEqual({ durationMs: timeoutMs, samples: 0 });
    expect(jobOf(foresee([job('a')]), 'a')).toMatchObject({ durationMs: timeoutMs, samples: 0 });
  });
});

describe('a pool', () => {
  test('of which there is enough has no peak, and nothing is suggested', () => {
    const found = foresee([job('a', { takes: 10 * minute }), job('b', { takes: 10 * minute })], {
      capacity: 2,
    });
    expect(poolOf(found)).toMatchObject({ peakCount: 0, waits: 0, collisions: [], enough: null });
    expect(found.suggestions).toEqual([]);
    expect(isWrong(found)).toBe(false);
  });

  test('is over capacity from when more is needed until the one that waits gets it', () => {
    const found = foresee([job('a', { takes: 10 * minute }), job('b', { takes: 4 * minute })]);
    expect(poolOf(found)?.peaks).toEqual([
      { from: at('03:00'), to: at('03:10'), demand: 2, jobs: ['a', 'b'] },
    ]);
    expect(poolOf(found)).toMatchObject({ peakCount: 1, overMs: 10 * minute, enough: 2 });
    expect(isWrong(found)).toBe(true);
  });

  test('names who waits, how often, how long, and behind whom', () => {
    const found = foresee([job('a', { takes: 10 * minute }), job('b', { takes: 4 * minute })], { days: 3 });
    expect(poolOf(found)).toMatchObject({ waits: 3, waitMs: 30 * minute, longestWaitMs: 10 * minute });
    expect(poolOf(found)?.collisions).toEqual([
      {
        job: 'b',
        times: 3,
        typicalWaitMs: 10 * minute,
        longestWaitMs: 10 * minute,
        waitMs: 30 * minute,
        behind: [{ job: 'a', times: 3 }],
      },
    ]);
  });

  test('is used by the share of its units that is held', () => {
    const found = foresee([job('a', { takes: 6 * hour, pools: { db: 2 } })], { capacity: 4 });
    expect(poolOf(found)?.use).toBeCloseTo((2 * 6) / (4 * 24), 10);
    const quarters = poolOf(found)?.slices.map(({ demand }) => demand) ?? [];
    expect(quarters.filter((demand) => demand > 0)).toHaveLength(24);
    expect(quarters.indexOf(2)).toBe(12);
  });

  test('goes to the higher priority first', () => {
    const jobs = [job('a', { takes: minute }), job('b', { takes: 2 * minute, priority: 1 })];
    expect(poolOf(foresee(jobs))?.collisions).toMatchObject([{ job: 'a', longestWaitMs: 2 * minute }]);
  });

  test('is kept for a heavy run past its patience, as admission does', () => {
    const light = { schedule: every('2 minutes'), takes: 3 * minute, overlap: 'allow' } as const;
    const heavy = job('heavy', {
      schedule: cron('1 3 * * *'),
      takes: minute,
      pools: { db: 3 },
      priority: -1,
    });
    const found = foresee([heavy, job('light', light)], { capacity: 3 });
    const wait = poolOf(found)?.collisions.find((one) => one.job === 'heavy')?.longestWaitMs ?? 0;
    expect(wait).toBeGreaterThanOrEqual(5 * minute);
    expect(wait).toBeLessThanOrEqual(5 * minute + 3 * minute);
  });

  test('that is full is not in the way of a run that needs another', () => {
    const pools = { db: { capacity: 1 }, mail: { capacity: 1 } };
    const both = job('b', { takes: minute, pools: { db: 1, mail: 1 } });
    const jobs = [job('a', { takes: hour }), both, job('c', { takes: minute, pools: { mail: 1 } })];
    const [db, mail] = foresee(jobs, { pools }).pools;
    expect(db).toMatchObject({ name: 'db', waits: 1, longestWaitMs: hour });
    expect(mail?.collisions).toEqual([]);
  });

  test('of which a job needs more than there is never admits it', () => {
    const found = foresee([job('a', { takes: minute, pools: { db: 3 } })]);
    expect(found.neverAdmitted).toEqual([{ job: 'a', pool: 'db', weight: 3, capacity: 1 }]);
    expect(isWrong(found)).toBe(true);
  });

  test('no run holds more than there is, and demand is what is held and waited for', () => {
    const jobs = fc.array(
      fc.record({
        minute: fc.nat(9),
        weight: fc.integer({ min: 1, max: 3 }),
        takes: fc.integer({ min: 1, max: 9 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    return holds(
      fc.property(jobs, fc.integer({ min: 3, max: 5 }), (drawn, capacity) => {
        const found = foresee(
          drawn.map(({ minute: due, weight, takes }, index) =>
            job(`job-${index}`, {
              schedule: cron(`${due} 3 * * *`),
              takes: takes * minute,
              pools: { db: weight },
            }),
          ),
          { capacity, limits: { fires: 1_000, steps: 10_000, tried: 0 } },
        );
        const work = drawn.reduce((sum, { weight, takes }) => sum + weight * takes * minute, 0);
        const pool = poolOf(found);
        expect(Math.round((pool?.use ?? 0) * capacity * day)).toBe(work);
        expect((pool?.waits ?? 0) > 0).toBe((pool?.peakCount ?? 0) > 0);
        expect((pool?.enough ?? 0) > capacity).toBe((pool?.waits ?? 0) > 0);
      }),
      { runs: 50 },
    );
  });
});

describe('a spread is suggested', () => {
  const colliding = [
    job('billing/send-invoices', { takes: 2 * minute }),
    job('reports/inventory', { takes: 2 * minute }),
  ];

  test('for as few jobs as it takes, and as its id puts it off', () => {
    const found = suggestionOf(foresee(colliding, { days: 7 }));
    expect(found?.before).toEqual({ waits: 7, waitMs: 14 * minute, longestWaitMs: 2 * minute });
    expect(found?.after).toEqual({ waits: 0, waitMs: 0, longestWaitMs: 0 });
    expect(found?.changes).toHaveLength(1);
    const [change] = found?.changes ?? [];
    expect(change?.offsetMs).toBe(spreadOf(change?.job ?? '', change?.withinMs ?? 0));
  });

  test('the smallest shift of those that do as well', () => {
    const [change] = suggestionOf(foresee(colliding))?.changes ?? [];
    const shifts = colliding.flatMap(({ entry }) =>
      [5, 10, 15, 20, 30, 45, 60].map((minutes) => spreadOf(entry.id, minutes * minute)),
    );
    expect(change?.offsetMs).toBe(Math.min(...shifts.filter((shift) => shift >= 2 * minute)));
  });

  test('never at the cost of a fire', () => {
    // Put off by the 34 minutes that would help, either works until 04:04; the fire of 04:00 then works until 04:08.
    const nextInLine = (overlap: JobEntry['overlap']) => [
      job('nightly/stock', { takes: 30 * minute }),
      job('reports/refunds', { takes: 30 * minute }),
      job('mail', { schedule: cron('0,5 4 * * *'), takes: 4 * minute, overlap }),
    ];
    expect(suggestionOf(foresee(nextInLine('queue')))?.changes).toHaveLength(1);
    expect(suggestionOf(foresee(nextInLine('skip')))?.changes).toEqual([]);
  });

  test('and once it is followed, the pool is never over capacity', () => {
    expect(poolOf(foresee(followed(colliding)))).toMatchObject({ peakCount: 0, waits: 0 });
  });

  test('for all of them, where a few don’t do', () => {
    const many = Array.from({ length: 20 }, (_, index) => job(`team/job-${index}`, { takes: 2 * minute }));
    const found = suggestionOf(foresee(many));
    expect(found?.changes.length).toBeGreaterThan(5);
    expect(new Set(found?.changes.map(({ withinMs }) => withinMs)).size).toBe(1);
    expect(found?.after.waitMs).toBeLessThanOrEqual((found?.before.waitMs ?? 0) / 2);
  });

  test('for nobody, where none takes half of the waits; and the capacity that would is told', () => {
    const long = [job('a', { takes: 6 * hour }), job('b', { takes: 6 * hour })];
    const found = foresee(long);
    expect(suggestionOf(found)?.changes).toEqual([]);
    expect(suggestionOf(found)?.after).toEqual(suggestionOf(found)?.before);
    expect(poolOf(found)?.enough).toBe(2);
  });

  test('for nobody on a pool that is busy all the time, where nothing need be tried', () => {
    const often = { schedule: every('5 minutes'), takes: 4 * minute };
    const found = foresee([job('a', often), job('b', often)]);
    expect(suggestionOf(found)).toMatchObject({ changes: [], tooSmall: ['db'] });
  });

  test('only when it keeps what it says: that much less waiting, and no fire lost', () => {
    const drawn = fc.array(
      fc.record({
        period: fc.constantFrom(5, 10, 15, 60),
        takes: fc.integer({ min: 1, max: 6 }),
        overlap: fc.constantFrom('skip' as const, 'queue' as const),
      }),
      { minLength: 2, maxLength: 4 },
    );
    return holds(
      fc.property(drawn, (several) => {
        const jobs = several.map(({ period, takes, overlap }, index) =>
          job(`job-${index}`, { schedule: every(`${period} minutes`), takes: takes * minute, overlap }),
        );
        const before = foresee(jobs);
        const after = foresee(followed(jobs));
        const promised = suggestionOf(before)?.after;
        expect(poolOf(after)).toMatchObject({ waitMs: promised?.waitMs ?? 0, waits: promised?.waits ?? 0 });
        expect(skippedOf(after)).toBeLessThanOrEqual(skippedOf(before));
        if ((suggestionOf(before)?.changes.length ?? 0) > 0)
          expect(poolOf(after)?.waitMs).toBeLessThanOrEqual((poolOf(before)?.waitMs ?? 0) / 2);
      }),
      { runs: 15 },
    );
  });
});

const skippedOf = ({ jobs }: Forecast) => jobs.reduce((sum, { skipped }) => sum + skipped, 0);

/** The jobs with the spread that is suggested for them. */
function followed(jobs: readonly ReturnType<typeof job>[]): ReturnType<typeof job>[] {
  const changes = suggestionOf(foresee(jobs))?.changes ?? [];
  return jobs.map(({ entry, takes }) => {
    const change = changes.find((one) => one.job === entry.id);
    const spreadMs = change === undefined ? {} : { spreadMs: spreadOf(entry.id, change.withinMs) };
    return { entry: { ...entry, spec: { ...entry.spec, ...spreadMs } }, takes };
  });
}

describe('a job in its own way', () => {
  const own = (overlap: JobEntry['overlap'], more: Played = {}) =>
    foresee([job('a', { schedule: every('5 minutes'), takes: 7 * minute, pools: {}, overlap, ...more })], {
      pools: {},
    });

  test('that skips has every other fire skipped', () => {
    const { overlaps } = own('skip');
    expect(overlaps).toMatchObject([
      { job: 'a', periodMs: 5 * minute, durationMs: 7 * minute, fires: 288, skipped: 144, started: 144 },
    ]);
    expect(isWrong(own('skip'))).toBe(true);
  });

  test('that queues never catches up, and what is too many is superseded', () => {
    const [overlap] = own('queue', { maxQueued: 10 }).overlaps;
    expect(overlap).toMatchObject({ endless: true, backlog: 10, started: 206, superseded: 72 });
  });

  test('that queues the newest runs one after the other', () => {
    expect(own('queue-one').overlaps).toMatchObject([{ started: 206, superseded: 81, backlog: 1 }]);
  });

  test('that queues starts the oldest fire first', () => {
    const three = { schedule: cron('0-2 3 * * *'), takes: 10 * minute };
    expect(own('queue', three).overlaps).toMatchObject([{ queued: 2, longestQueuedMs: 18 * minute }]);
  });

  test('that cancels what runs never gets to the end', () => {
    const [overlap] = own('cancel-running').overlaps;
    expect(overlap).toMatchObject({ canceled: 287, started: 288, longestQueuedMs: 10 * second });
  });

  test('that gives up waiting has those fires counted', () => {
    const [overlap] = own('queue', { maxWaitMs: 6 * minute }).overlaps;
    expect(overlap?.waitedTooLong).toBeGreaterThan(0);
    expect(overlap?.longestQueuedMs).toBe(6 * minute);
  });

  test('is a guess of which no success is known, and its losses count', () => {
    const found = foresee([job('a', { schedule: every('1 minute'), pools: {}, overlap: 'skip' })]);
    expect(found.overlaps).toMatchObject([{ samples: 0, durationMs: 5 * minute, skipped: 1152 }]);
    expect(isWrong(found)).toBe(true);
  });

  test('that is done in time loses fires to the pool that its runs wait for', () => {
    const [heavy, light] = [
      job('heavy', { schedule: cron('0 3 * * *'), takes: 10 * minute }),
      job('light', { schedule: cron('1-20 3 * * *'), takes: 5 * second, overlap: 'queue-one' }),
    ];
    expect(foresee([heavy, light]).overlaps).toMatchObject([
      { job: 'light', isOfPools: true, behindPools: ['db'], superseded: 8 },
    ]);
    expect(own('queue').overlaps).toMatchObject([{ isOfPools: false, behindPools: [] }]);
  });

  test('is none that allows it, or that is done in time', () => {
    expect(own('allow').overlaps).toEqual([]);
    expect(own('skip', { takes: 5 * minute }).overlaps).toEqual([]);
  });
});

describe('what is played', () => {
  test('no fire that is excluded', () => {
    const excluded = manifestJob({
      id: 'a',
      pools: { db: 1 },
      spec: { schedules: [nightly], timezone: 'UTC', except: ['2026-12-01'] },
    });
    expect(jobOf(foresee([{ entry: excluded, takes: minute }], { days: 2 }), 'a')?.fires).toBe(1);
  });

  test('the first days, where there are too many fires for all', () => {
    const limits = { fires: 2_000, steps: 100_000, tried: 0 };
    const found = foresee([job('a', { schedule: every('1 minute'), takes: second })], { days: 7, limits });
    expect(found.until).toBe(from + 2 * day);
  });

  test('no more steps than may be taken, and up to where is told', () => {
    const jobs = [job('a', { schedule: every('1 minute'), takes: second })];
    const found = foresee(jobs, { limits: { fires: 10_000, steps: 300, tried: 0 } });
    expect(poolOf(found)?.until).toBeGreaterThan(from);
    expect(poolOf(found)?.until).toBeLessThan(found.until);
    expect(jobOf(found, 'a')?.until).toBe(poolOf(found)?.until);
  });
});
