import { describe, expect, test } from 'vitest';
import { cancelRemoved, dropUnclaimed, mostCrashes, takeOver } from '../../functions/domain/attention.ts';
import { noCatchUp } from '../../functions/domain/catch-up.ts';
import { runId } from '../../functions/domain/names.ts';
import type { PoolState, Weights } from '../../functions/domain/pools.ts';
import { neverNeedsAttention, newRun, type Run, turnOf } from '../../functions/domain/run.ts';
import { manual, timetable } from '../../functions/domain/schedule/index.ts';
import { claimOf } from '../../functions/domain/start.ts';
import { minute } from '../../functions/domain/time.ts';
import { at, jobState, manifestJob } from '../support/jobs.ts';

const job = manifestJob({ crashed: 'rerun' });
const parks = manifestJob({ crashed: 'park' });
const entry = { token: 'mine', requestId: 'r', pid: 1, now: at('12:00'), remainingMs: 5 * minute };
const { run: running } = claimOf(job, at('12:00'), entry);
const leaseEnd = at('12:06');
const holding = jobState(job, { slot: running.key });
/** As its record says that it holds, or waits. */
const lentTo = (run: Run, weights: Weights = run.holds ?? run.waitsFor ?? {}) =>
  new Map(Object.entries(weights).map(([name, weight]) => [name, poolOf(name, { [runId(run)]: weight })]));
const poolOf = (name: string, holds: Weights): PoolState => ({
  ...{ name, capacity: 10, waiting: 0, holds },
  free: Object.values(holds).reduce((free, weight) => free - weight, 10),
});
const judge = (run: Run, of: Partial<Parameters<typeof takeOver>[1]> = {}) =>
  takeOver(run, { job, state: holding, pools: lentTo(run), now: leaseEnd, token: 'new', ...of });

describe('a running run', () => {
  test('is left alone until the last millisecond of its lease', () => {
    expect(judge(running, { now: leaseEnd - 1 })).toBeNull();
    expect(judge(running, { now: leaseEnd })).not.toBeNull();
  });

  test('suspected of having died, is left alone until its lease ends', () => {
    const suspected = { ...running, suspected: { at: at('12:01'), requestId: 'r', why: 'killed' } };
    expect(judge(suspected, { now: at('12:05') })).toBeNull();
  });

  test('whose lease ended under `rerun` is offered again, keeps its slot, and its old token is fenced off', () => {
    const decided = judge(running);
    expect(decided).toMatchObject({
      what: 'crashed',
      fence: { state: 'running', token: 'mine' },
      change: {
        set: { state: 'offered', token: 'new', crashes: 1 },
        settle: { number: 1, outcome: 'crashed', settledAt: leaseEnd },
      },
      invoke: true,
    });
    expect(decided?.effect).toEqual({ require: { unpaused: true } });
  });

  test('whose lease ended under `rerun` while its job is paused waits, its slot free, until it is unpaused', () => {
    const paused = { ...holding, paused: { at: at('12:01'), by: 'ops', note: '' } };
    expect(judge(running, { state: paused })).toMatchObject({
      what: 'crashed',
      change: {
        set: {
          state: 'waiting',
          reason: 'slot',
          attentionAt: turnOf(at('12:00'), 'slot'),
          token: 'new',
          hasSlot: false,
          crashes: 1,
        },
      },
      effect: { slot: 'free' },
      invoke: false,
    });
  });

  test('whose lease ended under `park` waits for a person, its slot free', () => {
    expect(judge(running, { job: parks })).toMatchObject({
      what: 'crashed',
      change: {
        set: {
          state: 'parked',
          reason: 'crashed',
          attentionAt: neverNeedsAttention,
          hasSlot: false,
          token: 'new',
        },
      },
      effect: { slot: 'free' },
      invoke: false,
    });
  });

  test(`that crashed ${mostCrashes} times is given up`, () => {
    const decided = judge({ ...running, crashes: mostCrashes - 1 });
    expect(decided).toMatchObject({
      what: 'crashed',
      change: { set: { state: 'failed', reason: 'crashed', crashes: mostCrashes } },
      effect: { slot: 'free', addFailureInARow: true },
      invoke: false,
    });
  });

  test('marked as timed out is settled so when its lease ends, whatever its crash policy', () => {
    const marked = { ...running, timedOutAt: at('12:05') };
    for (const of of [job, parks])
      expect(judge(marked, { job: of })).toMatchObject({
        what: 'timed-out',
        change: { set: { state: 'failed', reason: 'timed-out' }, settle: { outcome: 'timed-out' } },
        effect: { slot: 'free', addFailureInARow: true },
      });
  });

  test('gives back no slot that is another run’s', () => {
    const other = jobState(job, { slot: '2026-12-01T11:00:00Z' });
    expect(judge(running, { job: parks, state: other })?.effect).toBeUndefined();
  });

  test('of a removed job is canceled when its lease ends', () => {
    expect(judge(running, { job: null })).toMatchObject({
      what: 'removed',
      change: { set: { state: 'canceled', reason: 'removed' } },
      effect: { slot: 'free' },
    });
  });

  test('keeps what was reported of its death with the attempt, and nothing of it once its lease has ended', () => {
    const suspected = { at: at('12:01'), requestId: 'r', why: 'killed' };
    for (const of of [job, parks, null]) {
      const change = judge({ ...running, suspected }, { job: of })?.change;
      expect(change?.settle?.suspected).toEqual(suspected);
      expect(change?.clear).toContain('suspected');
    }
  });

  test('that is settled when its lease ends is open no more, and has no slot', () => {
    for (const decided of [judge(running, { job: null }), judge({ ...running, timedOutAt: at('12:05') })])
      expect(decided?.change).toMatchObject({
        set: { hasSlot: false, settledAt: leaseEnd, token: 'new' },
        clear: ['attentionAt', 'suspected'],
      });
  });

  test('whose job’s state is gone is offered again all the same, and frees no slot', () => {
    expect(judge(running, { state: null })).toMatchObject({ what: 'crashed', invoke: true });
    expect(judge(running, { state: null, job: parks })?.effect).toBeUndefined();
  });
});

describe('the holds of a run whose lease has ended', () => {
  const pools = { 'reports-db': 2, mail: 1 };
  const needing = manifestJob({ pools });
  const { run: holder } = claimOf(needing, at('12:00'), entry);
  const freed = [
    { pool: 'reports-db', hold: { kind: 'free', weight: 2 } },
    { pool: 'mail', hold: { kind: 'free', weight: 1 } },
  ];
  const paused = { ...holding, paused: { at: at('12:01'), by: 'ops', note: '' } };
  const request = { at: at('12:01'), by: 'ops', reason: 'operator' } as const;

  test('stay with it when it is to run again, and so does its slot', () => {
    const decided = judge(holder, { job: needing });
    expect(decided?.change.set.state).toBe('offered');
    expect(decided?.change.set).not.toHaveProperty('holds');
    expect(decided?.effect).toEqual({ require: { unpaused: true } });
  });

  test('stay with it whatever its job needs by now', () => {
    const decided = judge(holder, { job: manifestJob({ pools: { disk: 1 } }) });
    expect(decided?.effect).toEqual({ require: { unpaused: true } });
  });

  test.each<[string, Run, Partial<Parameters<typeof takeOver>[1]>, Run['state']]>([
    ['is parked', holder, { job: parks }, 'parked'],
    ['is given up after many crashes', { ...holder, crashes: mostCrashes - 1 }, {}, 'failed'],
    ['had timed out', { ...holder, timedOutAt: at('12:05') }, {}, 'failed'],
    ['was asked to end', { ...holder, cancelRequested: request }, {}, 'canceled'],
    ['is of a removed job', holder, { job: null }, 'canceled'],
    ['is of a removed job whose state is gone', holder, { job: null, state: null }, 'canceled'],
    ['waits while its job is paused', holder, { state: paused }, 'waiting'],
  ])('go back when it %s', (_what, run, of, state) => {
    const decided = judge(run, of);
    expect(decided?.change.set.state).toBe(state);
    expect(decided?.effect?.pools).toEqual(freed);
  });

  test('go back as the pools know them: a run that one has lost track of ends all the same', () => {
    const back = (pools: ReadonlyMap<string, PoolState>) => judge(holder, { job: parks, pools })?.effect;
    const [mail] = freed.slice(1);
    const mailOnly = poolOf('mail', { [runId(holder)]: 1 });
    expect(back(new Map([['mail', mailOnly]]))).toEqual({ slot: 'free', pools: [mail] });
    const another = poolOf('reports-db', { 'reports/sales#2026-12-01T12:00:00Z': 2 });
    expect(back(new Map([['reports-db', another]]))).toEqual({ slot: 'free' });
    const other = { pool: 'reports-db', hold: { kind: 'free', weight: 3 } };
    expect(back(lentTo(holder, { 'reports-db': 3 }))).toEqual({ slot: 'free', pools: [other] });
    expect(back(new Map())).toEqual({ slot: 'free' });
  });

  test('stay with an offer that is made anew, and go back when it waits for its paused job or is removed', () => {
    const offer = newRun({ ...holder, state: 'offered', attempts: [], token: 'o', attentionAt: leaseEnd });
    expect(judge(offer)?.effect).toEqual({ require: { unpaused: true } });
    expect(judge(offer, { state: paused })?.effect).toEqual({ slot: 'free', pools: freed, addQueued: 1 });
    expect(judge(offer, { job: null })?.effect).toEqual({ slot: 'free', pools: freed });
  });

  test('are none of a run that waits for pools: it is counted there no more once its job is removed', () => {
    const { holds: _holds, ...unstarted } = holder;
    const waits = newRun({ ...unstarted, state: 'waiting', reason: 'pool', waitsFor: pools, attempts: [] });
    expect(judge(waits)).toBeNull();
    expect(judge(waits, { job: null })?.effect).toEqual({
      slot: 'free',
      pools: [
        { pool: 'reports-db', addWaiting: -1 },
        { pool: 'mail', addWaiting: -1 },
      ],
    });
  });
});

describe('a run that was asked to end', () => {
  const request = { at: at('12:01'), by: '2026-12-01T12:01:00Z', reason: 'superseded' } as const;
  const asked = { ...running, cancelRequested: request };

  test('is left alone until its lease ends: its code may be alive', () => {
    expect(judge(asked, { now: leaseEnd - 1 })).toBeNull();
  });

  test('only after it was read, does not go on by what was decided then', () => {
    expect(judge(running)?.fence).toEqual({ state: 'running', token: 'mine', unasked: true });
    expect(judge(asked)?.fence).toEqual({ state: 'running', token: 'mine' });
  });

  test.each<[string, Run, 'crashed' | 'timed-out']>([
    ['crashed', asked, 'crashed'],
    ['ignored its abort', { ...asked, timedOutAt: at('12:05') }, 'timed-out'],
  ])('and %s is canceled then, whatever its crash policy: it is not run again', (_what, run, outcome) => {
    for (const of of [job, parks, null])
      expect(judge(run, { job: of })).toMatchObject({
        what: 'canceled',
        fence: { state: 'running', token: 'mine' },
        change: {
          set: { state: 'canceled', reason: 'superseded', supersededBy: request.by, token: 'new' },
          settle: { number: 1, outcome, settledAt: leaseEnd },
        },
        effect: { slot: 'free' },
        invoke: false,
      });
  });

  test('counts the crash that it was, and an abort that it ignored as none', () => {
    expect(judge(asked)?.change.set.crashes).toBe(1);
    expect(judge({ ...asked, timedOutAt: at('12:05') })?.change.set.crashes).toBeUndefined();
  });

  test('counts as no failure of its job', () => {
    expect(judge(asked)?.effect).toEqual({ slot: 'free' });
  });
});

describe('an offer that nobody took', () => {
  const offered = newRun({
    ...running,
    state: 'offered',
    attempts: [],
    token: 'offer',
    attentionAt: leaseEnd,
  });

  test('is made anew with another token and counts as no crash', () => {
    const decided = judge(offered);
    expect(decided).toMatchObject({
      what: 'reoffered',
      fence: { state: 'offered', token: 'offer' },
      change: { set: { state: 'offered', token: 'new', reoffers: 1 } },
      invoke: true,
    });
    expect(decided?.change.set.crashes).toBeUndefined();
  });

  test('three times in a row waits for its pools behind the others, with its slot, and holds none of them', () => {
    const holding = { ...offered, holds: { db: 2, mail: 1 }, hasSlot: true, reoffers: 1, seniority: 1 };
    const pools = new Map(
      ['db', 'mail'].map((name) => {
        const holds = { [runId(holding)]: name === 'db' ? 2 : 1 };
        return [name, { name, capacity: 3, free: 1, waiting: 0, holds }];
      }),
    );
    expect(judge(holding, { pools })).toMatchObject({ change: { set: { state: 'offered' } }, invoke: true });
    expect(judge({ ...holding, reoffers: 2 }, { pools })).toMatchObject({
      what: 'reoffered',
      change: {
        set: {
          ...{ state: 'waiting', reason: 'pool', waitsFor: { db: 2, mail: 1 }, reoffers: 3, token: 'new' },
          waitingSince: leaseEnd,
        },
        clear: ['seniority'],
      },
      effect: {
        pools: [
          { pool: 'db', hold: { kind: 'free', weight: 2 }, addWaiting: 1 },
          { pool: 'mail', hold: { kind: 'free', weight: 1 }, addWaiting: 1 },
        ],
      },
      invoke: false,
    });
  });

  test('is left alone while Lambda may still hold its event', () => {
    expect(judge(offered, { now: leaseEnd - 1 })).toBeNull();
  });
});

describe('an unfinished run of a removed job', () => {
  const waiting = newRun({ ...running, state: 'waiting', reason: 'catch-up', token: 'w', attempts: [] });
  const three = jobState(job, { catchUp: { waiting: 3, minute: 0, admitted: 0 } });
  const cancel = (run: Run, state: typeof three | null) =>
    cancelRemoved(run, { state, pools: lentTo(run), now: leaseEnd, token: 'new' });

  test('is canceled, and nobody is invoked', () => {
    expect(cancel(waiting, null)).toEqual({
      what: 'removed',
      fence: { state: 'waiting', token: 'w' },
      change: {
        set: {
          ...{ state: 'canceled', reason: 'removed', token: 'new', settledAt: leaseEnd, hasSlot: false },
          waits: [{ reason: 'catch-up', from: waiting.createdAt, until: leaseEnd }],
        },
        clear: ['attentionAt', 'suspected'],
      },
      invoke: false,
    });
  });

  test('gives back the slot that it has', () => {
    const offer = newRun({ ...running, state: 'offered', attempts: [] });
    expect(cancel(offer, holding).effect).toEqual({ slot: 'free' });
  });

  test('takes the whole tally of those that wait to be made up with it, and is one less that waits for the slot', () => {
    expect(cancel(waiting, three).effect).toEqual({ set: { catchUp: noCatchUp } });
    expect(cancel({ ...waiting, reason: 'slot' }, three).effect).toEqual({ addQueued: -1 });
    expect(cancel({ ...waiting, reason: 'slot' }, null).effect).toBeUndefined();
  });
});

test('a run that waits for its turn is left to it, unless its job was removed', () => {
  const attentionAt = turnOf(at('12:00'), 'catch-up');
  const waiting = newRun({ ...running, state: 'waiting', reason: 'catch-up', attempts: [], attentionAt });
  expect(judge(waiting)).toBeNull();
  expect(judge(waiting, { job: null })).toMatchObject({
    what: 'removed',
    change: { set: { state: 'canceled', token: 'new', settledAt: leaseEnd } },
  });
});

test('a run that is settled, or that a person must decide about, is left alone, also when its job was removed', () => {
  const { attentionAt: _leaseEnd, ...closed } = running;
  expect(judge({ ...closed, state: 'succeeded' }, { job: null })).toBeNull();
  expect(judge({ ...running, state: 'parked', attentionAt: leaseEnd }, { job: null })).toBeNull();
});

describe('a fire of the doubtful hour that the version taking force does not want', () => {
  const unwanted = {
    timetable: timetable({ schedules: [manual()], timezone: 'UTC' }),
    isExcluded: () => false,
  };
  const offer = newRun({ ...running, state: 'offered', attempts: [], token: 'o' });
  const waiting = newRun({ ...offer, state: 'waiting', reason: 'catch-up', hasSlot: false, token: 'w' });
  const two = { waiting: 2, newest: waiting.key, since: 5, minute: 0, admitted: 0 };
  const drop = (run: Run, of: Partial<Parameters<typeof dropUnclaimed>[1]> = {}) =>
    dropUnclaimed(run, {
      ...{ next: unwanted, state: holding, pools: lentTo(run), now: at('12:30'), token: 'new' },
      ...of,
    });

  test('and that was offered is skipped as edited, and gives back its slot', () => {
    expect(drop(offer)).toEqual({
      fence: { state: 'offered', token: 'o' },
      change: {
        set: { state: 'skipped', reason: 'edited', token: 'new', settledAt: at('12:30'), hasSlot: false },
        clear: ['attentionAt', 'suspected'],
      },
      effect: { slot: 'free' },
    });
  });

  test('and that waits to be made up is skipped, and waits no more, provided that nobody has counted meanwhile', () => {
    const dropped = drop(waiting, { state: jobState(job, { catchUp: two }) });
    expect(dropped?.fence).toEqual({ state: 'waiting', token: 'w' });
    expect(dropped?.effect).toEqual({
      require: { catchUp: two },
      set: { catchUp: { waiting: 1, since: 5, minute: 0, admitted: 0 } },
    });
  });

  test('and that waits for the slot is skipped, and counted there no more', () => {
    const queued = newRun({ ...waiting, trigger: 'schedule', reason: 'slot' });
    const dropped = drop(queued, { state: jobState(job, { queued: 2 }) });
    expect(dropped?.change.set).toMatchObject({ state: 'skipped', reason: 'edited' });
    expect(dropped?.effect).toEqual({ addQueued: -1 });
  });

  test('is skipped as excluded, when that is why', () => {
    const excepting = { timetable: timetable(job.spec), isExcluded: () => true };
    expect(drop(offer, { next: excepting })?.change.set.reason).toBe('excluded');
  });

  test('goes on when somebody has claimed it before, or a person has asked for it', () => {
    expect(drop({ ...offer, attempts: running.attempts })).toBeNull();
    expect(drop({ ...waiting, reason: 'slot', attempts: running.attempts })).toBeNull();
    expect(drop({ ...offer, trigger: 'manual' })).toBeNull();
    expect(drop(newRun({ ...running, attempts: [] }))).toBeNull();
  });

  test('goes on when both versions want it, or it was due before that hour', () => {
    expect(drop(offer, { next: { ...unwanted, timetable: timetable(job.spec) } })).toBeNull();
    expect(drop(offer, { now: at('13:00') })).toBeNull();
  });
});
