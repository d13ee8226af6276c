import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Background,
  blame,
  mostSuspect,
  type Together,
} from '../../../functions/domain/contention/blame.ts';
import { togetherWith } from '../../../functions/domain/contention/company.ts';
import { overlapsOf, sharedUse, shareHeld, touchedBy } from '../../../functions/domain/contention/overlap.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { minute } from '../../../functions/domain/time.ts';
import { holds } from '../../support/property.ts';
import { attempt, ran, readsOf } from '../../support/ran.ts';

const now = 100 * minute;
const at = (minutes: number) => minutes * minute;

/** A run of ten minutes that metered reads; null: without a bill. */
function reading(jobId: string, reads: number | null, [from, until] = [0, 10], more: Partial<Run> = {}): Run {
  const bill = reads === null ? {} : { bill: readsOf('db', reads) };
  return ran(jobId, [attempt(at(from), at(until), bill)], more);
}

const unknown: Background = { earlier: [], together: null };

function judge(
  run: Run,
  others: readonly Run[],
  { background = unknown, known = [] as readonly Run[] } = {},
) {
  const overlaps = overlapsOf(run, { others, touched: touchedBy([run, ...others, ...known]), now });
  return blame(run, overlaps, { shared: sharedUse(run, overlaps, now), background, now });
}

describe('the culprit', () => {
  test('is named without any pool: who metered most under the name that both did, in the time of the victim', () => {
    const victim = reading('victim', 100, [5, 15]);
    const first = reading('first', 2_000, [0, 10]);
    const verdict = judge(victim, [reading('other', 30), first]);
    expect(verdict).toMatchObject({
      kind: 'culprit',
      suspect: { run: first, amount: 1_000, shared: { name: 'db', unit: 'reads', own: 100, total: 1_115 } },
    });
  });

  test('used half of what was used, and twice as much as the victim and as anybody else', () => {
    const victim = reading('victim', 100);
    expect(judge(victim, [reading('a', 200)])).toMatchObject({ kind: 'culprit' });
    expect(judge(victim, [reading('a', 199)])).toMatchObject({ kind: 'unclear', because: 'no-margin' });
    expect(judge(victim, [reading('a', 900), reading('b', 451)])).toMatchObject({ because: 'no-margin' });
    const many = Array.from({ length: 9 }, (_, index) => reading(`b${index}`, 100));
    expect(judge(victim, [reading('a', 999), ...many])).toMatchObject({ because: 'no-margin' });
  });

  test('is the run itself, when it used that much', () => {
    expect(judge(reading('victim', 500), [reading('a', 100)])).toMatchObject({
      kind: 'itself',
      shared: { own: 500, total: 600 },
    });
  });

  test('is found in what it used unusually much of, and that is said', () => {
    const earlier = [1, 2, 3, 4, 5].map((count) => reading('a', 100 + count));
    const verdict = judge(reading('victim', 10), [reading('a', 900)], {
      background: { earlier, together: null },
    });
    expect(verdict).toMatchObject({ kind: 'culprit', suspect: { unusual: { median: 103, samples: 5 } } });
  });
});

describe('nobody can tell', () => {
  const victim = reading('victim', 10);

  test('when no other run was alive', () => {
    expect(judge(victim, [reading('a', 900, [10, 20])])).toMatchObject({ because: 'alone', suspect: null });
  });

  test('when those beside it have nothing in common with it', () => {
    const other = ran('a', [attempt(0, at(10), { bill: readsOf('other-db', 900) })]);
    expect(judge(victim, [other])).toMatchObject({ because: 'nothing-in-common' });
  });

  test('when they share a pool, and nobody measured what was used of it', () => {
    const bill = { bill: { wallMs: 1 } };
    const holding = (id: string) => ran(id, [attempt(0, at(10), bill)], { holds: { db: 1 } });
    expect(judge(holding('victim'), [holding('a')])).toMatchObject({ because: 'nothing-measured' });
  });

  test('when one that uses the same crashed, or still runs: it left no bill', () => {
    const silent = reading('a', null);
    const verdict = judge(victim, [silent, reading('b', 900)], { known: [reading('a', 5, [-20, -10])] });
    expect(verdict).toMatchObject({ because: 'not-all-measured', unmeasured: [silent] });
    const crashed = reading('victim', null);
    expect(judge(crashed, [reading('b', 900)], { known: [victim] })).toMatchObject({
      because: 'not-all-measured',
      unmeasured: [crashed],
    });
  });

  test('when of one beside it no bill is known: it might turn out to share something', () => {
    const silent = reading('a', null, [0, 10], { state: 'running' });
    expect(judge(victim, [silent])).toMatchObject({ because: 'not-all-measured', unmeasured: [silent] });
    expect(judge(victim, [silent, reading('b', 900)])).toMatchObject({ unmeasured: [silent] });
  });

  test('but nothing is shared with one whose earlier bills say so, nor by a run that has to do with nothing', () => {
    const silent = reading('a', null);
    const before = ran('a', [attempt(at(-20), at(-10), { bill: readsOf('other-db', 900) })]);
    expect(judge(victim, [silent], { known: [before] })).toMatchObject({ because: 'nothing-in-common' });
    const alone = ran('victim', [attempt(0, at(10), { bill: { wallMs: 1 } })]);
    expect(judge(alone, [silent])).toMatchObject({ because: 'nothing-in-common' });
  });

  describe('when who used the most is usual company', () => {
    const earlier = [1, 2, 3, 4, 5].map(() => reading('a', 900));
    const together = (beside: number, besideFailed: number): Together => ({
      ...{ beside, besideFailed, without: 0, withoutFailed: 0 },
    });
    const because = (of: Together, used = 900) =>
      judge(victim, [reading('a', used)], { background: { earlier, together: of } });

    test('beside which its job has mostly succeeded', () => {
      expect(because(together(5, 2))).toMatchObject({ because: 'usual-company' });
    });

    test('but not when it mostly failed beside it, was rarely beside it, or used more than usual', () => {
      expect(because(together(6, 3))).toMatchObject({ kind: 'culprit' });
      expect(because(together(4, 0))).toMatchObject({ kind: 'culprit' });
      expect(because(together(9, 0), 5_000)).toMatchObject({ kind: 'culprit' });
    });
  });
});

test('of several things that they share, the one is looked at of which somebody had most', () => {
  const metered = (id: string, a: number, b: number) =>
    ran(id, [attempt(0, at(10), { bill: { wallMs: 1, metered: { a: { reads: a }, b: { rows: b } } } })]);
  const victim = metered('victim', 50, 1);
  const overlaps = overlapsOf(victim, {
    others: [metered('other', 60, 99)],
    touched: touchedBy([victim, metered('other', 60, 99)]),
    now,
  });
  expect(mostSuspect(sharedUse(victim, overlaps, now))).toMatchObject({
    shared: { name: 'b', unit: 'rows' },
    share: 0.99,
  });
});

test('the share of a pool is what was held of its capacity while the run was alive', () => {
  const victim = reading('victim', 1, [5, 15]);
  const holder = reading('a', 1, [0, 10], { holds: { db: 2 } });
  expect(shareHeld(victim, holder, { pool: 'db', capacity: 4, now })).toBe(0.25);
  expect(shareHeld(victim, holder, { pool: 'other', capacity: 4, now })).toBe(0);
});

test('earlier runs are told apart by whether one of the other job ran beside them', () => {
  const failed = { state: 'failed' } as const;
  const earlier = [
    reading('victim', 1, [0, 10], failed),
    reading('victim', 1, [20, 30]),
    reading('victim', 1, [40, 50], failed),
    ran('victim', [], { state: 'skipped', fireTime: at(5) }),
  ];
  expect(togetherWith(earlier, [reading('a', 1, [9, 25])], now)).toEqual({
    beside: 2,
    besideFailed: 1,
    without: 1,
    withoutFailed: 1,
  });
});

test('whoever is blamed has the margin, whatever the order in which the runs come', () => {
  const amount = fc.integer({ min: 0, max: 1_000 });
  const span = fc.tuple(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 1, max: 15 }));
  const other = fc.record({ amount, span });
  return holds(
    fc.property(amount, fc.array(other, { maxLength: 6 }), (own, drawn) => {
      const victim = reading('victim', own, [5, 15]);
      const others = drawn.map(({ amount: reads, span: [from, length] }, index) =>
        reading(`job-${index}`, reads, [from, from + length]),
      );
      const verdict = judge(victim, others);
      expect(judge(victim, [...others].reverse()).kind).toBe(verdict.kind);
      if (verdict.kind !== 'culprit') return;
      const { suspect } = verdict;
      const rest = suspect.shared.used.filter(({ run }) => run !== suspect.run).map((one) => one.amount);
      expect(suspect.share).toBeGreaterThanOrEqual(0.5);
      expect(suspect.amount).toBeGreaterThanOrEqual(2 * Math.max(own, ...rest));
      expect(own + suspect.amount + rest.reduce((sum, one) => sum + one, 0)).toBeCloseTo(
        suspect.shared.total,
      );
    }),
  );
});
