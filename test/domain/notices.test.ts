import { describe, expect, test } from 'vitest';
import { fireKey } from '../../functions/domain/names.ts';
import { due, type Noticed, type Telling, untold } from '../../functions/domain/notices/due.ts';
import type { Notice } from '../../functions/domain/notices/notice.ts';
import { newRun, type Run } from '../../functions/domain/run.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { at } from '../support/jobs.ts';

const noon = at('12:00');
const jobId = 'reports/daily';

function ended(kind: 'failed' | 'parked', n: number, of: Partial<Run> = {}): Notice {
  const fireTime = noon + n * minute;
  const run = newRun({
    ...{ jobId, key: fireKey(fireTime), fireTime, trigger: 'schedule', state: kind },
    ...{ specId: 's', token: 't', createdAt: fireTime, ...of },
  });
  return { kind, jobId: run.jobId, run };
}

function failed(n: number, of: Partial<Run> = {}): Notice {
  return ended('failed', n, of);
}

/** Notices that come one by one, a minute apart. */
function oneByOne(notices: readonly Notice[], from = noon): { told: Telling[]; noticed: Noticed } {
  let noticed: Noticed = {};
  const told = notices.flatMap((notice, n) => {
    const now = due(noticed, [notice], from + n * minute);
    noticed = now.noticed;
    return now.tell;
  });
  return { told, noticed };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

describe('of the failed runs of a job', () => {
  test('the first of an hour is told at once, and the others when it is over, with how many they are', () => {
    const { told, noticed } = oneByOne(range(12).map((n) => failed(n)));
    expect(told).toEqual([{ kind: 'one', notice: failed(0), last: 'of-job' }]);
    expect(due(noticed, [], noon + hour - 1).tell).toEqual([]);
    const { tell } = due(noticed, [], noon + hour);
    expect(tell).toEqual([{ kind: 'held', of: 'failed', jobId, held: { count: 11, since: noon } }]);
  });

  test('one that fails just then is told itself, with how many there were', () => {
    const { noticed } = oneByOne(range(12).map((n) => failed(n)));
    const { tell } = due(noticed, [failed(60)], noon + hour);
    expect(tell).toMatchObject([{ notice: failed(60), more: { count: 11, since: noon } }]);
  });

  test('500 at once are one letter now and one in an hour, and nothing is kept after a quiet hour', () => {
    const storm = range(500).map((n) => failed(n));
    const first = due({}, storm, noon);
    expect(first.tell).toHaveLength(1);
    const second = due(first.noticed, [], noon + hour);
    expect(second.tell).toMatchObject([{ held: { count: 499 } }]);
    expect(due(second.noticed, [], noon + 2 * hour)).toEqual({ tell: [], noticed: {} });
  });

  test('after the letter of how many there were, the next hour is quiet as well', () => {
    const first = due({}, [failed(0), failed(1)], noon);
    const second = due(first.noticed, [], noon + hour);
    expect(due(second.noticed, [failed(61)], noon + hour + minute).tell).toEqual([]);
  });

  test('one whose word comes twice is told once, and counted once', () => {
    const first = due({}, [failed(0), failed(0)], noon);
    const second = due(first.noticed, [failed(0)], noon + minute);
    expect([first.tell.length, second.tell.length]).toEqual([1, 0]);
    expect(due(second.noticed, [], noon + hour)).toEqual({ tell: [], noticed: {} });
  });

  test('those of another job are told by themselves', () => {
    const { told } = oneByOne([failed(0), failed(0, { jobId: 'billing/close' })]);
    expect(told).toHaveLength(2);
  });

  test('a clock that was set back silences them for no longer than an hour', () => {
    const { noticed } = oneByOne([failed(0)]);
    expect(due(noticed, [failed(1)], noon - 2 * hour).tell).toHaveLength(1);
  });
});

describe('parked runs', () => {
  test('are told one by one, as each needs a person; the tenth of a job in an hour says that it is the last', () => {
    const { told, noticed } = oneByOne(range(14).map((n) => ended('parked', n)));
    expect(told).toHaveLength(10);
    expect(told.map((one) => one.kind === 'one' && one.last)).toEqual([
      ...range(9).map(() => undefined),
      'of-job',
    ]);
    expect(due(noticed, [], noon + hour).tell).toMatchObject([{ kind: 'held', held: { count: 4 } }]);
  });

  test('one that was released and is parked again is told again', () => {
    const attempt = { number: 1, token: 't', requestId: 'r', pid: 1, startedAt: noon, leaseUntil: noon };
    const { told } = oneByOne([
      ended('parked', 0, { attempts: [attempt] }),
      ended('parked', 0, { attempts: [attempt, { ...attempt, number: 2 }] }),
    ]);
    expect(told).toHaveLength(2);
  });
});

describe('when everything fails', () => {
  const everything = range(300).map((n) => failed(n, { jobId: `job-${n}` }));

  test('twenty letters of a kind go out in an hour, the last says so, and then one with how many there were', () => {
    const first = due({}, everything, noon);
    expect(first.tell).toHaveLength(20);
    expect(first.tell.at(-1)).toMatchObject({ kind: 'one', last: 'of-kind' });
    expect(due(first.noticed, [], noon + hour).tell).toEqual([
      { kind: 'held', of: 'failed', held: { count: 280, since: noon } },
    ]);
  });

  test('another kind is told all the same', () => {
    const { noticed } = due({}, everything, noon);
    expect(due(noticed, [ended('parked', 0)], noon + minute).tell).toHaveLength(1);
  });

  test('what is kept stays small, for how many hours it may go on', () => {
    let noticed: Noticed = {};
    for (const n of range(300)) {
      const storm = range(100).map((m) => failed(n, { jobId: `job-${(n * 37 + m) % 500}` }));
      noticed = due(noticed, storm, noon + n * 7 * minute).noticed;
      expect(Object.keys(noticed).length).toBeLessThanOrEqual(200);
      expect(JSON.stringify(noticed).length).toBeLessThan(50_000);
    }
  });
});

test('a ledger gap is told once an hour while it lasts, and counts for one', () => {
  const gap: Notice = { kind: 'ledger-gap', fires: 3, jobIds: ['a'], since: noon };
  const { told } = oneByOne(range(61).map(() => gap));
  expect(told.map(({ kind }) => kind)).toEqual(['one', 'one']);
  expect(told[1]).not.toHaveProperty('more');
});

test('many missed fires in one letter count as many', () => {
  const missed = (n: number, fires: number): Notice => {
    const oldest = noon - n * hour;
    return { kind: 'missed', jobId, tooOld: fires, overLimit: 0, oldest, newest: oldest + minute };
  };
  const { noticed } = due({}, [missed(1, 40), missed(2, 50), missed(3, 60)], noon);
  expect(due(noticed, [], noon + hour).tell).toMatchObject([{ held: { count: 110 } }]);
});

test('what could not be sent is told by the next turn, as one more of its key', () => {
  const first = due({}, [failed(0), failed(1)], noon);
  const kept = untold(first.noticed, first.tell, noon);
  const second = due(kept, [], noon + minute);
  expect(second.tell).toMatchObject([{ kind: 'held', of: 'failed', jobId, held: { count: 2 } }]);
  const again = untold(second.noticed, second.tell, noon + minute);
  expect(due(again, [], noon + 2 * minute).tell).toMatchObject([{ held: { count: 2 } }]);
});
