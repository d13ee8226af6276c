import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AuditRange,
  auditableFrom,
  auditableUntil,
  auditedOf,
  combine,
  isClean,
  type JobAudit,
  JobAuditor,
} from '../../functions/domain/audit.ts';
import type { SpecVersion } from '../../functions/domain/job-state.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { type Attempt, newRun, openStates, type Run, terminalStates } from '../../functions/domain/run.ts';
import { cron, every, type Spec, timetable } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { holds } from '../support/property.ts';

const start = Date.parse('2026-11-30T00:00:00Z');
const hourly: Spec = { schedules: [every('1 hour')], timezone: 'UTC' };
const minutely: Spec = { schedules: [every('1 minute')], timezone: 'UTC' };

function version(from: number, spec: Spec | null): SpecVersion {
  return { jobId: 'job', from, specId: String(from), spec };
}

function run(fireTime: number, more: Partial<Run> = {}): Run {
  return newRun({
    jobId: 'job',
    key: fireKey(fireTime),
    fireTime,
    trigger: 'schedule',
    state: 'succeeded',
    specId: 'spec',
    token: 'token',
    createdAt: fireTime,
    ...more,
  });
}

function attempt(number: number, startedAt: number, more: Partial<Attempt> = {}): Attempt {
  return {
    number,
    token: `token-${number}`,
    requestId: `request-${number}`,
    pid: 1,
    startedAt,
    leaseUntil: startedAt + 5 * minute,
    ...more,
  };
}

function auditIn(
  range: AuditRange,
  versions: readonly SpecVersion[],
  { runs, state }: { runs: readonly Run[]; state: { readonly strays: number } | null },
): JobAudit {
  const auditor = new JobAuditor('job', versions, range);
  for (const run of runs) auditor.see(auditedOf(run));
  return auditor.end(state);
}

function audit(versions: SpecVersion[], runs: Run[], to = start + 3 * hour): JobAudit {
  return auditIn({ from: start, to }, versions, { runs, state: { strays: 3 } });
}

describe('expected fires', () => {
  test('every due instant of the range needs its record, both ends included', () => {
    const audited = audit([version(start - day, hourly)], [run(start), run(start + 2 * hour)]);
    expect(audited).toMatchObject({ expected: 4, recorded: 2, strays: 3 });
    expect(audited.missing).toEqual(['job#2026-11-30T01:00:00Z', 'job#2026-11-30T03:00:00Z']);
  });

  test('a version is in force after its own instant, up to and with the next one’s', () => {
    const versions = [
      version(start, hourly),
      version(start + hour, minutely),
      version(start + hour + 2 * minute, null),
    ];
    const due = [start + hour, start + hour + minute, start + hour + 2 * minute];
    expect(
      audit(
        versions,
        due.map((fire) => run(fire)),
      ),
    ).toMatchObject({ expected: 3, recorded: 3, extra: [] });
  });

  test('nothing is expected of a job without a history, or before it was first deployed', () => {
    expect(audit([], [])).toMatchObject({ expected: 0, recorded: 0, missing: [] });
    expect(audit([version(start + 3 * hour, hourly)], []).expected).toBe(0);
  });

  test('an excluded fire is expected, and recorded by its skip', () => {
    const holiday: Spec = { ...hourly, except: ['2026-11-30'] };
    const skip = (at: number) => run(at, { state: 'skipped', reason: 'excluded' });
    const audited = audit([version(start - day, holiday)], [skip(start), skip(start + hour)], start + hour);
    expect(audited).toMatchObject({ expected: 2, recorded: 2, missing: [], extra: [] });
    expect(audited.states.skipped).toBe(2);
    expect(audit([version(start - day, holiday)], [], start).missing).toEqual(['job#2026-11-30T00:00:00Z']);
  });

  test('a record that no schedule asked for is named, and is no recorded fire', () => {
    const audited = audit([version(start - day, hourly)], [run(start), run(start + minute)], start + minute);
    expect(audited).toMatchObject({ expected: 1, recorded: 1, extra: ['job#2026-11-30T00:01:00Z'] });
  });

  test('a fire that a person had made up for a time without a schedule is counted with the manual runs', () => {
    const requested = { at: start, by: 'ops' };
    const before = run(start - hour, { trigger: 'backfill', requested });
    const range = { from: start - hour, to: start };
    const audited = auditIn(range, [version(start - 1, hourly)], { runs: [before, run(start)], state: null });
    expect(audited).toMatchObject({ expected: 1, recorded: 1, manual: 1, extra: [] });
  });

  test('a manual run is extra: counted by itself and by its state, even at a due instant', () => {
    const manual = run(start, { key: `${fireKey(start)}~manual-1a`, trigger: 'manual', state: 'failed' });
    const audited = audit([version(start - day, hourly)], [manual], start);
    expect(audited).toMatchObject({ expected: 1, recorded: 0, manual: 1, extra: [] });
    expect(audited.states.failed).toBe(1);
  });

  test('of many missing fires a thousand are named and all are counted', () => {
    const audited = audit([version(start - day, minutely)], [], start + day);
    expect(audited.missing).toHaveLength(1_000);
    expect(audited.expected - audited.recorded).toBe(1_441);
  });
});

describe('a double run', () => {
  const doubled = (...attempts: Attempt[]) =>
    audit([version(start - day, hourly)], [run(start, { attempts })], start).doubleRuns;

  test('is a second attempt that began before the first had settled', () => {
    const first = attempt(1, start, { settledAt: start + minute, outcome: 'failed' });
    expect(doubled(first, attempt(2, start + minute - 1))).toBe(1);
    expect(doubled(first, attempt(2, start + minute))).toBe(0);
  });

  test('is a second attempt that began under the lease of one that never settled', () => {
    expect(doubled(attempt(1, start), attempt(2, start + 5 * minute - 1))).toBe(1);
    expect(doubled(attempt(1, start), attempt(2, start + 5 * minute))).toBe(0);
  });

  test('is a second attempt that began while one believed to have crashed had its lease', () => {
    const believed = attempt(1, start, { settledAt: start + 1, outcome: 'crashed' });
    expect(doubled(believed, attempt(2, start + minute))).toBe(1);
  });

  test('is not one whose clock is up to 30 s behind the clock that judged the crash', () => {
    const crashed = attempt(1, start, { settledAt: start + 5 * minute, outcome: 'crashed' });
    expect(doubled(crashed, attempt(2, start + 5 * minute - 30_000))).toBe(0);
  });

  test('is two successes, however far apart', () => {
    const success = (number: number, at: number) =>
      attempt(number, at, { settledAt: at + 1, outcome: 'succeeded' });
    expect(doubled(success(1, start), success(2, start + hour))).toBe(1);
  });

  test('is no single success', () => {
    const success = attempt(1, start, { settledAt: start + minute, outcome: 'succeeded' });
    expect(doubled(success)).toBe(0);
  });

  test('is judged by when attempts began, not by the order of the record', () => {
    const first = attempt(1, start, { settledAt: start + minute, outcome: 'failed' });
    const second = attempt(2, start + hour, { settledAt: start + hour + minute, outcome: 'failed' });
    expect([doubled(first, second), doubled(second, first)]).toEqual([0, 0]);
  });

  test('is seen past a short attempt between two that overlap', () => {
    const long = attempt(1, start, { settledAt: start + 10 * minute, outcome: 'failed' });
    const short = attempt(2, start + minute, { settledAt: start + 2 * minute, outcome: 'failed' });
    expect(doubled(short, long)).toBe(1);
  });
});

describe('the range', () => {
  test('ends where every fire is past the longest grace and one sweep', () => {
    const jobs = [{ graceMs: 3 * minute }, { graceMs: 10 * minute }];
    expect(auditableUntil(start, jobs)).toBe(start - 11 * minute - 15_000);
    expect(auditableUntil(start, [])).toBe(start - minute - 15_000);
  });

  test('begins with the retention', () => {
    expect(auditableFrom(start, 400)).toBe(start - 400 * day);
  });
});

test('jobs are added up, and shown each', () => {
  const one = audit([version(start - day, hourly)], [run(start, { duplicates: 2 })]);
  const other = audit([version(start - day, hourly)], []);
  const both = combine({ one, other }, { from: start, to: start + 3 * hour });
  expect(both).toMatchObject({
    from: '2026-11-30T00:00:00Z',
    to: '2026-11-30T03:00:00Z',
    expected: 8,
    recorded: 1,
    strays: 6,
    duplicates: 2,
    doubleRuns: 0,
    jobs: { one, other },
  });
  expect(both.missing).toHaveLength(7);
  expect(both.states.succeeded).toBe(1);
  expect(isClean(both)).toBe(false);
  expect(isClean(combine({}, { from: start, to: start }))).toBe(true);
});

test('of all jobs together a thousand missing and a thousand extra fires are named, and manual runs added up', () => {
  const missing = audit([version(start - day, minutely)], [], start + day);
  const strange = Array.from({ length: 600 }, (_, index) => run(start + index * minute));
  const manual = run(start, { key: `${fireKey(start)}~manual-1a`, trigger: 'manual' });
  const extra = audit([], [...strange, manual], start + day);
  const all = combine({ a: missing, b: missing, c: extra, d: extra }, { from: start, to: start + day });
  expect([all.missing.length, all.extra.length, all.manual]).toEqual([1_000, 1_000, 2]);
});

test('an audit is clean when nothing is missing and nothing ran twice', () => {
  expect(isClean({ expected: 2, recorded: 2, doubleRuns: 0 })).toBe(true);
  expect(isClean({ expected: 2, recorded: 1, doubleRuns: 0 })).toBe(false);
  expect(isClean({ expected: 2, recorded: 2, doubleRuns: 1 })).toBe(false);
});

describe('against a count by brute force', () => {
  const specs: (Spec | null)[] = [
    null,
    hourly,
    minutely,
    { schedules: [cron('*/7 9-17 * * *'), every('25 minutes')], timezone: 'Asia/Kolkata' },
    { schedules: [cron('30 1 * * *')], timezone: 'America/New_York' },
  ];
  const span = 600;
  const minutes = fc.integer({ min: 0, max: span });
  const history = fc.uniqueArray(fc.tuple(fc.integer({ min: -50, max: span }), fc.constantFrom(...specs)), {
    maxLength: 5,
    selector: ([at]) => at,
  });
  const states = fc.constantFrom(...openStates, ...terminalStates);
  const records = fc.uniqueArray(fc.tuple(minutes, states, fc.nat(3), fc.boolean()), {
    maxLength: 400,
    selector: ([at, , , isManual]) => `${at} ${isManual}`,
  });

  test('every count is the same', () => {
    holds(
      fc.property(history, records, fc.boolean(), minutes, minutes, (history, records, all, a, b) => {
        const [from, to] = [start + Math.min(a, b) * minute, start + Math.max(a, b) * minute];
        const versions = history
          .sort(([a], [b]) => a - b)
          .map(([at, spec]) => version(start + at * minute, spec));
        const due = new Set<number>();
        for (let instant = from; instant <= to; instant += minute) {
          const inForce = versions.filter((candidate) => candidate.from < instant).at(-1)?.spec;
          if (inForce && timetable(inForce).has(instant)) due.add(instant);
        }
        const random = records.map(([at, state, duplicates, isManual]) => {
          const fireTime = start + at * minute;
          const key = `${fireKey(fireTime)}${isManual ? '~manual-1' : ''}`;
          return run(fireTime, { key, state, duplicates });
        });
        const known = new Set(random.map((one) => one.key));
        const filled = all
          ? [...due].filter((fire) => !known.has(fireKey(fire))).map((fire) => run(fire))
          : [];
        const runs = [...random, ...filled].sort((x, y) => (x.key < y.key ? -1 : 1));
        const within = runs.filter((one) => one.fireTime >= from && one.fireTime <= to);
        const scheduled = within.filter((one) => one.key === fireKey(one.fireTime));
        const recorded = scheduled.filter((one) => due.has(one.fireTime));

        const audited = auditIn({ from, to }, versions, { runs, state: null });

        expect(audited.expected).toBe(due.size);
        expect(audited.recorded).toBe(recorded.length);
        expect(audited.missing).toEqual(
          [...due]
            .filter((fire) => !recorded.some((one) => one.fireTime === fire))
            .map((fire) => `job#${fireKey(fire)}`),
        );
        expect(audited.extra).toHaveLength(scheduled.length - recorded.length);
        expect(audited.manual).toBe(within.length - scheduled.length);
        expect(audited.duplicates).toBe(within.reduce((sum, one) => sum + one.duplicates, 0));
        for (const state of [...openStates, ...terminalStates])
          expect(audited.states[state]).toBe(within.filter((one) => one.state === state).length);
      }),
      { runs: 150 },
    );
  });
});
