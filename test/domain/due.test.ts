import { describe, expect, test } from 'vitest';
import { dueFires, isDoubtful, judgeDue, type Reign, reignsOf } from '../../functions/domain/due.ts';
import type { SpecVersion } from '../../functions/domain/job-state.ts';
import { specIdOf } from '../../functions/domain/manifest.ts';
import {
  compileAlarms,
  cron,
  every,
  isExcluded,
  type Spec,
  timetable,
} from '../../functions/domain/schedule/index.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { at } from '../support/jobs.ts';

const spec = (expression: string, timezone = 'UTC'): Spec => ({ schedules: [cron(expression)], timezone });
const version = (from: number, of: Spec | null): SpecVersion => ({
  jobId: 'a',
  from,
  specId: of ? specIdOf(of) : '',
  spec: of,
});
const reigns = (...versions: SpecVersion[]) =>
  reignsOf(versions, (_id, of) => ({
    timetable: timetable(of),
    isSwept: (fire) => compileAlarms(of).isSwept(fire),
    isExcluded: (fire) => isExcluded(of, fire),
    timezone: of.timezone,
  }));
const times = (of: readonly Reign[], from: number, to: number) =>
  dueFires('a', of, { from, to }).map(({ fire }) => new Date(fire.fireTime).toISOString().slice(11, 16));

const hourly = spec('0 * * * *');
const graceMs = 3 * minute;
const calm = { specChanged: false };

function only(of: readonly Reign[]): Reign {
  const [first] = of;
  if (first === undefined) throw new Error('no reign');
  return first;
}

describe('which fires were due', () => {
  test('a new job is owed nothing from before', () => {
    expect(times(reigns(version(at('10:00'), hourly)), at('08:00'), at('12:00'))).toEqual(['11:00', '12:00']);
  });

  test('an edited job is owed its old fires up to the edit and its new ones from then: no imagined past', () => {
    const edited = reigns(version(0, spec('0 2 * * *')), version(at('13:50'), spec('0 12 * * *')));
    expect(times(edited, at('00:00'), at('23:59'))).toEqual(['02:00']);
  });

  test('each knows the version that came after its own', () => {
    const [old, fresh] = reigns(version(0, hourly), version(at('01:30'), hourly));
    const found = dueFires(
      'a',
      [old, fresh].flatMap((reign) => reign ?? []),
      { from: at('00:30'), to: at('02:30') },
    );
    expect(found.map(({ reign, successor }) => [reign === old, successor === fresh])).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(found[1]).not.toHaveProperty('successor');
  });

  test('a removed and added job is owed nothing from between', () => {
    const back = reigns(version(0, hourly), version(at('01:30'), null), version(at('03:30'), hourly));
    expect(times(back, at('00:30'), at('05:00'))).toEqual(['01:00', '04:00', '05:00']);
  });
});

describe('what a due fire without a record calls for', () => {
  const judge = (of: Reign, now: number, more: object = {}) =>
    judgeDue(at('12:00'), { reign: of, state: calm, graceMs, now, ...more });

  test('within its grace the alarm may still come', () => {
    expect(judge(only(reigns(version(0, hourly))), at('12:03'))).toBe('not-yet');
  });

  test('past its grace it is missed', () => {
    expect(judge(only(reigns(version(0, hourly))), at('12:03') + 1)).toBe('missed');
  });

  test('what no alarm hits is offered at once', () => {
    const reign = only(reigns(version(0, { schedules: [every('7 minutes')], timezone: 'UTC' })));
    const fire = reign.timetable.next(at('12:00')) ?? 0;
    expect(reign.isSwept(fire)).toBe(true);
    const judged = (now: number) => judgeDue(fire, { reign, state: calm, graceMs, now });
    expect([judged(fire), judged(fire + graceMs), judged(fire + graceMs + 1)]).toEqual([
      'offer',
      'offer',
      'missed',
    ]);
  });

  test('for an hour after an edit it is offered a minute late, so that the alarm goes first', () => {
    const reign = only(reigns(version(at('11:30'), hourly)));
    const state = { specChanged: true };
    expect(judge(reign, at('12:00:59'), { state })).toBe('not-yet');
    expect(judge(reign, at('12:01'), { state })).toBe('offer');
    const last = only(reigns(version(at('12:00') - hour, hourly)));
    expect(judge(last, at('12:01'), { state })).toBe('offer');
    const older = only(reigns(version(at('12:00') - hour - 1, hourly)));
    expect(judge(older, at('12:01'), { state })).toBe('not-yet');
  });

  test('around an offset change of its zone it is offered a minute late', () => {
    const berlin = only(reigns(version(0, spec('0 5 * * *', 'Europe/Berlin'))));
    const fire = Date.parse('2027-03-28T03:00:00Z');
    const judged = (now: number) => judgeDue(fire, { reign: berlin, state: calm, graceMs, now });
    expect([judged(fire + minute - 1), judged(fire + minute)]).toEqual(['not-yet', 'offer']);
  });

  test('while its job is paused it is skipped, but not one that was due before the pause', () => {
    const reign = only(reigns(version(0, hourly)));
    const pausedAt = (time: string) => ({
      state: { ...calm, paused: { at: at(time), by: 'ann', note: '' } },
    });
    expect(judge(reign, at('12:04'), pausedAt('11:59'))).toBe('paused');
    expect(judge(reign, at('12:04'), pausedAt('12:00'))).toBe('paused');
    expect(judge(reign, at('12:04'), pausedAt('12:01'))).toBe('missed');
  });

  test('nor one that is due when the pause is to end, or later', () => {
    const reign = only(reigns(version(0, hourly)));
    const pausedUntil = (time: string) => ({
      state: { ...calm, paused: { at: at('11:00'), by: 'ann', note: '', until: at(time) } },
    });
    expect(judge(reign, at('12:04'), pausedUntil('12:01'))).toBe('paused');
    expect(judge(reign, at('12:04'), pausedUntil('12:00'))).toBe('missed');
  });

  test('in the doubtful hour before an edit only a fire of both versions is still expected', () => {
    const [old, fresh] = reigns(version(0, hourly), version(at('12:30'), spec('30 * * * *')));
    if (!old || !fresh) throw new Error('no reigns');
    expect(judge(old, at('12:31'), { successor: fresh })).toBe('edited');
    const [same, faster] = reigns(version(0, hourly), version(at('12:30'), spec('0,30 * * * *')));
    if (!same || !faster) throw new Error('no reigns');
    expect(judge(same, at('12:31'), { successor: faster })).toBe('missed');
  });

  test('in the doubtful hour a fire of both versions is offered at once: no delivery may start it any more', () => {
    const [same, faster] = reigns(version(0, hourly), version(at('12:00:20'), spec('0,30 * * * *')));
    if (!same || !faster) throw new Error('no reigns');
    expect(judge(same, at('12:00:20'), { successor: faster })).toBe('offer');
  });

  test('an excluded one is skipped at once, also in the grace of its alarm and while its job is paused', () => {
    const excepting = only(reigns(version(0, { ...hourly, except: ['2026-12-01'] })));
    expect(judge(excepting, at('12:00'))).toBe('excluded');
    expect(judge(excepting, at('18:00'))).toBe('excluded');
    const paused = { at: at('11:00'), by: 'ann', note: '' };
    expect(judge(excepting, at('12:00'), { state: { ...calm, paused } })).toBe('excluded');
  });

  test('in the doubtful hour one that either version excludes is skipped', () => {
    const holiday: Spec = { ...hourly, except: ['2026-12-01'] };
    for (const [before, after] of [
      [holiday, hourly],
      [hourly, holiday],
    ] as const) {
      const [old, fresh] = reigns(version(0, before), version(at('12:30'), after));
      if (!old || !fresh) throw new Error('no reigns');
      expect(judge(old, at('12:31'), { successor: fresh })).toBe('excluded');
    }
    const [old, fresh] = reigns(version(0, hourly), version(at('13:00'), holiday));
    if (!old || !fresh) throw new Error('no reigns');
    expect(judge(old, at('13:00'), { successor: fresh })).toBe('missed');
  });

  test('one whose delivery was refused by code of another version is offered at once, and no other', () => {
    const reign = only(reigns(version(0, hourly)));
    const refused = (time: string) =>
      judge(reign, at('12:00:05'), { state: { ...calm, refusedFire: at(time) } });
    expect([refused('12:00'), refused('11:00'), refused('13:00')]).toEqual(['offer', 'not-yet', 'not-yet']);
  });
});

test('the doubtful hour is the one before a version took force, with its last instant', () => {
  const doubtful = (fire: number) => isDoubtful(fire, at('12:00'));
  expect([at('11:00'), at('11:00') + 1, at('12:00'), at('12:00') + 1].map(doubtful)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
