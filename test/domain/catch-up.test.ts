import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  admissible,
  admissionsLeft,
  type Fate,
  fateOf,
  missedRun,
  noCatchUp,
  oneLessWaits,
  oneMoreWaits,
  owedReach,
  startsSoon,
  supersededBy,
  superseding,
} from '../../functions/domain/catch-up.ts';
import type { CatchUp } from '../../functions/domain/job-state.ts';
import type { MissedPolicy } from '../../functions/domain/manifest.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { newRun, type Run, turnOf } from '../../functions/domain/run.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { admission } from '../../functions/domain/waiting.ts';
import { at, jobState, manifestJob } from '../support/jobs.ts';
import { holds } from '../support/property.ts';

const policy = (of: Partial<MissedPolicy>): MissedPolicy => ({
  policy: 'all',
  limit: 100,
  maxAgeMs: 7 * day,
  ratePerMinute: 10,
  ...of,
});

/** The fates of missed fires, newest first, as the reconciler walks through them. */
function fates(fires: readonly number[], missed: MissedPolicy, now: number): Map<number, Fate> {
  let catchUp: CatchUp = noCatchUp;
  const decided = new Map<number, Fate>();
  for (const fireTime of [...fires].sort((a, b) => b - a)) {
    const fate = fateOf(fireTime, missed, { now, catchUp });
    if (fate.kind === 'wait') catchUp = oneMoreWaits(catchUp, { key: fireKey(fireTime) }, now);
    decided.set(fireTime, fate);
  }
  return decided;
}

const minutes = (count: number, until: number) => Array.from({ length: count }, (_, i) => until - i * minute);

describe('what becomes of missed fires', () => {
  test('all: each is made up', () => {
    const fires = minutes(5, at('12:00'));
    expect([...fates(fires, policy({}), at('12:10')).values()]).toEqual(fires.map(() => ({ kind: 'wait' })));
  });

  test('all: beyond the limit the oldest are recorded as missed, and the job goes on', () => {
    const decided = fates(minutes(101, at('12:00')), policy({}), at('12:10'));
    expect(decided.get(at('12:00'))).toEqual({ kind: 'wait' });
    expect(decided.get(at('10:20'))).toEqual({ kind: 'missed', reason: 'over-limit' });
    expect([...decided.values()].filter((fate) => fate.kind === 'wait')).toHaveLength(100);
  });

  test('latest: the newest is made up and stands for the others', () => {
    const decided = fates([at('10:00'), at('11:00'), at('12:00')], policy({ policy: 'latest' }), at('12:10'));
    expect(decided.get(at('12:00'))).toMatchObject({ kind: 'wait' });
    expect(decided.get(at('11:00'))).toEqual({ kind: 'superseded', by: '2026-12-01T12:00:00Z' });
    expect(decided.get(at('10:00'))).toEqual({ kind: 'superseded', by: '2026-12-01T12:00:00Z' });
  });

  test('latest: a fire that is counted already, its answer lost, is not superseded by itself', () => {
    const catchUp = oneMoreWaits(noCatchUp, { key: fireKey(at('12:00')) }, at('12:10'));
    const known = { now: at('12:10'), catchUp };
    expect(fateOf(at('12:00'), policy({ policy: 'latest' }), known).kind).toBe('wait');
  });

  test('skip: none is made up, and each says why', () => {
    expect(fates([at('12:00')], policy({ policy: 'skip' }), at('12:10')).get(at('12:00'))).toEqual({
      kind: 'missed',
      reason: 'policy',
    });
  });

  test.each(['all', 'latest'] as const)('%s: older than maxAge is recorded as missed', (name) => {
    const missed = policy({ policy: name, maxAgeMs: hour });
    const decided = fates([at('10:59'), at('11:00')], missed, at('12:00'));
    expect(decided.get(at('11:00'))).toMatchObject({ kind: 'wait' });
    expect(decided.get(at('10:59'))).toEqual({ kind: 'missed', reason: 'too-old' });
  });

  test('is the ten-line model, for any outage', () => {
    const outage = fc.record({
      fires: fc.uniqueArray(fc.integer({ min: 0, max: 3_000 }), { maxLength: 300 }),
      missed: fc.record({
        policy: fc.constantFrom('all' as const, 'latest' as const, 'skip' as const),
        limit: fc.integer({ min: 1, max: 50 }),
        maxAgeMs: fc.integer({ min: 1, max: 3_000 }).map((m) => m * minute),
        ratePerMinute: fc.constant(10),
      }),
    });
    holds(
      fc.property(outage, ({ fires, missed }) => {
        const now = at('12:00');
        const times = fires.map((m) => now - m * minute);
        const young = times.filter((t) => now - t <= missed.maxAgeMs).sort((a, b) => b - a);
        const kept = { all: young.slice(0, missed.limit), latest: young.slice(0, 1), skip: [] }[
          missed.policy
        ];
        const waits = [...fates(times, missed, now)].filter(([, fate]) => fate.kind === 'wait');
        expect(waits.map(([time]) => time)).toEqual(kept);
      }),
    );
  });
});

describe('the records of missed fires', () => {
  const fire = { jobId: 'billing/send-invoices', fireTime: at('12:00'), specId: 's' };

  test('one that waits says that it is a backfill waiting for its turn', () => {
    const run = missedRun(fire, { kind: 'wait' }, { token: 't', now: at('12:10') });
    expect(run).toMatchObject({
      state: 'waiting',
      reason: 'catch-up',
      trigger: 'backfill',
      attentionAt: turnOf(at('12:00'), 'catch-up'),
    });
  });

  test('one that is not made up says why, and is settled', () => {
    const run = missedRun(fire, { kind: 'missed', reason: 'too-old' }, { token: 't', now: at('12:10') });
    expect(run).toMatchObject({
      ...fire,
      key: '2026-12-01T12:00:00Z',
      state: 'missed',
      reason: 'too-old',
      trigger: 'schedule',
      settledAt: at('12:10'),
    });
  });

  test('a superseded one names the run that stands for it', () => {
    const run = missedRun(fire, { kind: 'superseded', by: 'k' }, { token: 't', now: at('12:10') });
    expect(run).toMatchObject({
      state: 'skipped',
      reason: 'superseded',
      supersededBy: 'k',
      settledAt: at('12:10'),
    });
    expect(run.attentionAt).toBeUndefined();
  });
});

describe('admission of runs that wait', () => {
  const job = manifestJob();
  const now = at('12:10');
  const waiting = (time: string, of: Partial<Run> = {}) =>
    newRun({
      jobId: job.id,
      key: fireKey(at(time)),
      fireTime: at(time),
      trigger: 'backfill',
      state: 'waiting',
      reason: 'catch-up',
      specId: job.specId,
      token: 't',
      createdAt: now,
      ...of,
    });
  const three = [waiting('12:02'), waiting('12:00'), waiting('12:01')];
  const keys = (runs: readonly Run[]) => runs.map((run) => run.key.slice(11, 16));

  test('oldest first, one at a time through the slot', () => {
    expect(keys(admissible(job, jobState(job), three, { now, caughtUp: true, oldestOwed: null }))).toEqual([
      '12:00',
    ]);
  });

  test('none while the slot is taken, even under overlap skip', () => {
    const state = jobState(job, { slot: '2026-12-01T12:09:00Z' });
    expect(admissible(job, state, three, { now, caughtUp: true, oldestOwed: null })).toEqual([]);
  });

  test('none of a paused job', () => {
    const state = jobState(job, { paused: { at: 0, by: 'ann', note: '' } });
    expect(admissible(job, state, three, { now, caughtUp: true, oldestOwed: null })).toEqual([]);
  });

  test('none while part of the outage is unread: what supersedes or limits is not known yet', () => {
    expect(admissible(job, jobState(job), three, { now, caughtUp: false, oldestOwed: null })).toEqual([]);
  });

  test('under `latest` none while a fire of the same outage is undecided, so that one stands for all', () => {
    const once = manifestJob({ missed: policy({ policy: 'latest' }) });
    const state = jobState(once, { catchUp: { waiting: 3, minute: 0, admitted: 0, since: at('12:09') } });
    const known = { now, caughtUp: true, oldestOwed: at('12:09') };
    expect(admissible(once, state, three, known)).toEqual([]);
    expect(startsSoon(once, state, three, known)).toBe(true);
    expect(keys(admissible(job, state, three, known))).toEqual(['12:00']);
  });

  test('under `latest` later fires are not waited for: where no alarm comes any more, each outage is made up once', () => {
    const once = manifestJob({ missed: policy({ policy: 'latest' }) });
    const state = jobState(once, { catchUp: { waiting: 1, minute: 0, admitted: 0, since: at('12:09') } });
    const known = { now, caughtUp: true, oldestOwed: at('12:10') };
    expect(admissible(once, state, three, known)).toHaveLength(1);
  });

  test('under latest the one that waits may stand for fires as old as the outage and the greatest age allow', () => {
    const once = policy({ policy: 'latest', maxAgeMs: hour });
    const first = fateOf(at('12:00'), once, { now: at('12:10'), catchUp: noCatchUp });
    const later = fateOf(at('12:40'), once, {
      now: at('12:45'),
      catchUp: { ...noCatchUp, since: at('12:10') },
    });
    expect([first, later]).toEqual([
      { kind: 'wait', coversFrom: at('11:10') },
      { kind: 'wait', coversFrom: at('11:10') },
    ]);
    const of = { jobId: 'a/b', fireTime: at('12:00'), specId: 's' };
    expect(missedRun(of, first, { token: 't', now: at('12:10') }).coversFrom).toBe(at('11:10'));
  });

  test('without a slot as many as the rate allows in this minute', () => {
    const free = manifestJob({ overlap: 'allow', missed: policy({ ratePerMinute: 2 }) });
    expect(keys(admissible(free, jobState(free), three, { now, caughtUp: true, oldestOwed: null }))).toEqual([
      '12:00',
      '12:01',
    ]);
    const counted = jobState(free, { catchUp: { waiting: 3, minute: now, admitted: 1 } });
    expect(keys(admissible(free, counted, three, { now, caughtUp: true, oldestOwed: null }))).toEqual([
      '12:00',
    ]);
    expect(
      keys(admissible(free, counted, three, { now: now + minute, caughtUp: true, oldestOwed: null })),
    ).toEqual(['12:00', '12:01']);
  });

  // Two sweeps by turns, whose clocks show different minutes: each took the other's count for an old one.
  test('a clock that is behind goes on counting in the minute of the one ahead', () => {
    const free = manifestJob({ overlap: 'allow', missed: policy({ ratePerMinute: 1 }) });
    const counted = oneLessWaits({ ...noCatchUp, waiting: 3 }, { key: fireKey(at('02:00')) }, at('03:05:01'));
    const behind = oneLessWaits(counted, { key: fireKey(at('02:05')) }, at('03:04:59'));
    const open = [waiting('02:10')];
    const admitted = (now: number) =>
      admissible(free, jobState(free, { catchUp: behind }), open, { now, caughtUp: true, oldestOwed: null });
    expect(behind).toMatchObject({ minute: at('03:05'), admitted: 2 });
    expect(admitted(at('03:04:59'))).toEqual([]);
    expect(admitted(at('03:05:40'))).toEqual([]);
    expect(admitted(at('03:06:00'))).toEqual(open);
  });

  test('a run that a person released needs no rate and no complete look at the outage', () => {
    const released = waiting('11:00', { reason: 'slot' });
    expect(
      keys(admissible(job, jobState(job), [released, ...three], { now, caughtUp: false, oldestOwed: null })),
    ).toEqual(['11:00']);
  });

  test('of a released run and of missed ones goes by the same order, each once', () => {
    const free = manifestJob({ overlap: 'allow' });
    const released = waiting('12:03', { reason: 'slot' });
    const known = { now, caughtUp: true, oldestOwed: null };
    expect(keys(admissible(free, jobState(free), [...three, released], known))).toEqual([
      '12:03',
      '12:00',
      '12:01',
      '12:02',
    ]);
  });

  test('comes soon where only the taken slot is in the way, and not where nobody waits', () => {
    const taken = jobState(job, { slot: '2026-12-01T12:09:00Z' });
    const known = { now, caughtUp: true, oldestOwed: null };
    expect(startsSoon(job, taken, three, known)).toBe(true);
    expect(startsSoon(job, taken, [], known)).toBe(false);
    expect(startsSoon(job, jobState(job), three, known)).toBe(false);
  });

  test('of a released run takes the slot, counts for no rate, and is one less that waits for it', () => {
    const catchUp = { waiting: 3, minute: 0, admitted: 0 };
    const move = admission(waiting('12:00', { reason: 'slot' }), job, { catchUp, token: 'new', now });
    expect(move.effect).toEqual({ require: { unpaused: true }, slot: 'take', addQueued: -1 });
    expect(move.fence).toEqual({ state: 'waiting', token: 't' });
    expect(move.change.clear).toEqual(['reason', 'waitsFor', 'waitingSince', 'seniority', 'holds']);
  });

  test('takes the slot and is counted, in one write', () => {
    const [run] = three;
    if (run === undefined) throw new Error('no run');
    const catchUp = { waiting: 3, newest: run.key, minute: now, admitted: 4 };
    expect(admission(run, job, { catchUp, token: 'new', now }).effect).toEqual({
      require: { unpaused: true, catchUp },
      slot: 'take',
      set: { catchUp: { waiting: 2, minute: now, admitted: 5 } },
    });
  });
});

test('a waiting run that a newer one takes the place of is skipped, and waits no more', () => {
  const waiting = missedRun(
    { jobId: 'a', fireTime: at('12:00'), specId: 's' },
    { kind: 'wait' },
    { token: 't', now: at('12:10') },
  );
  const catchUp = { waiting: 2, newest: waiting.key, since: 5, minute: 0, admitted: 0 };
  expect(superseding(waiting, 'newer', { catchUp, token: 'new', now: at('12:11') })).toEqual({
    fence: { state: 'waiting', token: 't' },
    change: {
      set: {
        state: 'skipped',
        reason: 'superseded',
        supersededBy: 'newer',
        token: 'new',
        settledAt: at('12:11'),
      },
      clear: ['attentionAt'],
    },
    effect: {
      require: { catchUp },
      set: { catchUp: { waiting: 1, since: 5, reach: at('12:00'), minute: 0, admitted: 0 } },
    },
  });
});

describe('the tally of those that wait', () => {
  const two = { waiting: 2, newest: 'b', since: 5, minute: at('12:00'), admitted: 3 };

  test('comes back to nothing', () => {
    const one = oneMoreWaits(oneMoreWaits(noCatchUp, { key: 'b' }, 5), { key: 'a' }, 6);
    expect(one).toMatchObject({ waiting: 2, newest: 'b', since: 5 });
    const left = oneLessWaits(oneLessWaits(one, { key: 'a' }, null), { key: 'b' }, null);
    expect(left).toEqual(noCatchUp);
  });

  test('knows the newest, in whatever order they come', () => {
    expect(oneMoreWaits(oneMoreWaits(noCatchUp, { key: 'a' }, 5), { key: 'b' }, 6).newest).toBe('b');
    expect(oneMoreWaits(oneMoreWaits(noCatchUp, { key: 'b' }, 5), { key: 'a' }, 6).newest).toBe('b');
  });

  test('says how far back the newest reaches, whatever the greatest age is by then', () => {
    const week = {
      ...noCatchUp,
      ...oneMoreWaits(noCatchUp, { key: '2026-12-01T12:00:00Z', coversFrom: 100 }, 900),
    };
    const latest = { policy: 'latest', limit: 100, ratePerMinute: 10 } as const;
    const fate = (fireTime: number, maxAgeMs: number) =>
      fateOf(fireTime, { ...latest, maxAgeMs }, { now: fireTime + 1, catchUp: week });
    expect(fate(at('12:10'), 300)).toEqual({ kind: 'wait', coversFrom: 100 });
    expect(fate(at('12:10'), 850)).toEqual({ kind: 'wait', coversFrom: 50 });
    expect(fate(100, 850).kind).toBe('superseded');
    expect(fate(99, 850)).toEqual({ kind: 'missed', reason: 'too-old' });
    expect(oneLessWaits(week, { key: '2026-12-01T12:00:00Z' }, null)).toEqual(noCatchUp);
  });

  test('has a fire stand for the one that waited under another policy, however old that is', () => {
    const waiting = oneMoreWaits(noCatchUp, { key: '2026-12-01T12:00:00Z' }, at('13:10'));
    const hourly = { policy: 'latest', limit: 100, ratePerMinute: 10, maxAgeMs: hour } as const;
    const fate = fateOf(at('12:30'), hourly, { now: at('13:10'), catchUp: supersededBy(waiting) });
    expect(fate).toEqual({ kind: 'wait', coversFrom: at('12:00') });
  });

  test('knows how far back the next one reaches, for which one gave way that has no record yet', () => {
    const waiting = oneMoreWaits(noCatchUp, { key: '2026-12-01T12:00:00Z' }, at('13:10'));
    const owing = supersededBy(waiting);
    expect(owedReach(owing)).toEqual({
      coversFrom: at('12:00'),
      effect: { require: { catchUp: owing }, set: { catchUp: noCatchUp } },
    });
    expect(owedReach(waiting)).toBeNull();
    expect(owedReach(noCatchUp)).toBeNull();
  });

  test('keeps the newest and since when, as long as they wait', () => {
    expect(oneLessWaits(two, { key: 'a' }, null)).toEqual({ ...two, waiting: 1 });
  });

  test('has no newest once that one waits no more', () => {
    const { newest: _newest, ...rest } = two;
    expect(oneLessWaits(two, { key: 'b' }, null)).toEqual({ ...rest, waiting: 1 });
    expect(supersededBy(two)).toEqual({ ...rest, waiting: 1 });
  });

  test('is never less than nothing', () => {
    expect(oneLessWaits(noCatchUp, { key: 'a' }, null).waiting).toBe(0);
    expect(supersededBy(noCatchUp).waiting).toBe(0);
  });

  test('counts those admitted by the minute', () => {
    const admitted = (now: number) => oneLessWaits(two, { key: 'a' }, now);
    expect(admitted(at('12:00:59'))).toMatchObject({ minute: at('12:00'), admitted: 4 });
    expect(admitted(at('12:01'))).toMatchObject({ minute: at('12:01'), admitted: 1 });
  });

  test('goes on in the minute that was last counted when a clock is behind it', () => {
    expect(oneLessWaits(two, { key: 'a' }, at('11:59:40'))).toMatchObject({
      minute: at('12:00'),
      admitted: 4,
    });
    expect(admissionsLeft(two, policy({ ratePerMinute: 5 }), at('11:59:40'))).toBe(2);
    expect(admissionsLeft(two, policy({ ratePerMinute: 5 }), at('11:58:59'))).toBe(5);
  });
});
