import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  account,
  advance,
  backlogLength,
  firstWatermark,
  hasBacklog,
  putAside,
  settledUpTo,
  slicesOf,
  type Watermark,
} from '../../functions/domain/watermark.ts';
import { holds } from '../support/property.ts';

const minute = 60_000;

test('a new ledger owes nothing from before', () => {
  expect(settledUpTo(firstWatermark(5 * minute))).toBe(5 * minute);
});

test('the watermark moves only past fires that have a record', () => {
  const mark = advance({ top: 0, gaps: [] }, 10 * minute);
  const after = account(mark, { from: 0, to: 10 * minute }, [7 * minute]);
  expect(after).toEqual({ top: 10 * minute, gaps: [{ from: 7 * minute - 1, to: 7 * minute }] });
  expect(settledUpTo(after)).toBe(7 * minute - 1);
});

test('after an outage the live part comes first and the backlog from its newest end, in slices', () => {
  const mark = advance({ top: 0, gaps: [] }, 100 * minute);
  const first = slicesOf(mark, 90 * minute, 20 * minute);
  expect(first).toEqual([
    { from: 90 * minute, to: 100 * minute },
    { from: 70 * minute, to: 90 * minute },
  ]);
  const after = first.reduce((left, slice) => account(left, slice, []), mark);
  expect(hasBacklog(after, 90 * minute)).toBe(true);
  expect(slicesOf(after, 90 * minute, 20 * minute)).toEqual([{ from: 50 * minute, to: 70 * minute }]);
});

test('a fire that could not be recorded is looked at in every turn and does not hide the older backlog', () => {
  const mark: Watermark = {
    top: 100 * minute,
    gaps: [
      { from: 0, to: 40 * minute },
      { from: 80 * minute - 1, to: 80 * minute },
    ],
  };
  expect(slicesOf(mark, 90 * minute, 20 * minute)).toEqual([
    { from: 80 * minute - 1, to: 80 * minute },
    { from: 20 * minute, to: 40 * minute },
  ]);
});

test('a fire that could not be recorded is no backlog: it holds up nobody else', () => {
  const mark = { top: 100 * minute, gaps: [{ from: 80 * minute - 1, to: 80 * minute }] };
  expect(hasBacklog(mark, 90 * minute)).toBe(false);
});

test('what ends where the live part begins is backlog alone, also beside single fires', () => {
  const gaps = [
    { from: 0, to: 10 * minute },
    { from: 80 * minute - 1, to: 80 * minute },
  ];
  const mark = { top: 100 * minute, gaps };
  expect(hasBacklog(mark, 90 * minute)).toBe(true);
  expect(slicesOf({ top: 20 * minute, gaps: gaps.slice(0, 1) }, 10 * minute, 60 * minute)).toEqual([gaps[0]]);
});

test('of a job that is still not known nothing becomes a gap', () => {
  const aside = { bad: { from: 0, to: minute } };
  expect(putAside({ top: 2 * minute, gaps: [], aside }, [], ['bad'])).toEqual({
    top: 2 * minute,
    gaps: [],
    aside,
  });
});

test('a clock set back never leaves the watermark in the future', () => {
  const mark = advance({ top: 17 * 60 * minute, gaps: [] }, 15 * 60 * minute);
  expect(mark).toEqual({ top: 15 * 60 * minute, gaps: [] });
  expect(advance(mark, 15 * 60 * minute + minute).gaps).toEqual([
    { from: 15 * 60 * minute, to: 15 * 60 * minute + minute },
  ]);
});

test('what is not known of one job is put aside: owed, yet no gap, until it is known', () => {
  const mark = advance({ top: 0, gaps: [] }, 10 * minute);
  const slice = { from: 0, to: 10 * minute };
  const aside = putAside(account(mark, slice, []), [slice], ['bad']);
  expect(aside).toEqual({ top: 10 * minute, gaps: [], aside: { bad: slice } });
  expect(settledUpTo(aside)).toBe(0);
  const later = advance(aside, 20 * minute);
  const next = slicesOf(later, 5 * minute, minute);
  const still = putAside(
    next.reduce((left, part) => account(left, part, []), later),
    next,
    ['bad'],
  );
  expect(still.aside).toEqual({ bad: { from: 0, to: 20 * minute } });
  expect(putAside(still, [], [])).toEqual({ top: 20 * minute, gaps: [{ from: 0, to: 20 * minute }] });
});

test('nothing is put aside when nothing was looked at', () => {
  expect(putAside({ top: minute, gaps: [] }, [], ['bad'])).toEqual({ top: minute, gaps: [] });
});

test('stretches of time that touch are one gap', () => {
  const mark = advance(advance({ top: 0, gaps: [] }, minute), 3 * minute);
  expect(mark.gaps).toEqual([{ from: 0, to: 3 * minute }]);
});

test('the backlog is as long as its gaps, up to where the live part begins', () => {
  const gaps = [
    { from: 2 * minute, to: 5 * minute },
    { from: 8 * minute, to: 20 * minute },
  ];
  expect(backlogLength({ top: 20 * minute, gaps }, 10 * minute)).toBe(5 * minute);
});

describe('of very many single fires without a record', () => {
  const fires = (count: number) => Array.from({ length: count }, (_, index) => (index + 1) * minute);
  const owing = (count: number) => account({ top: 100 * minute, gaps: [] }, { from: 0, to: 0 }, fires(count));
  const gapOf = (fire: number) => ({ from: fire - 1, to: fire });

  test('as many as the watermark holds are kept each for itself', () => {
    expect(owing(64).gaps).toEqual(fires(64).map(gapOf));
  });

  test('beyond that the oldest become one stretch, looked at again, and none is lost', () => {
    const [, , , ...later] = fires(66);
    expect(owing(66).gaps).toEqual([{ from: minute - 1, to: 3 * minute }, ...later.map(gapOf)]);
  });
});

test('whatever the order of advances and slices, an instant is owed until a slice accounted for it', () => {
  const steps = fc.array(
    fc.record({ by: fc.integer({ min: 1, max: 30 }), failed: fc.integer({ min: 0, max: 3 }) }),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  holds(
    fc.property(steps, (walk) => {
      let now = 0;
      let mark = firstWatermark(0);
      const owed = new Set<number>();
      for (const { by, failed } of walk) {
        for (let m = 1; m <= by; m += 1) owed.add(now + m * minute);
        now += by * minute;
        mark = advance(mark, now);
        const slices = slicesOf(mark, now - 5 * minute, 10 * minute);
        const seen = [...owed].filter((fire) => slices.some((s) => fire > s.from && fire <= s.to));
        const left = seen.slice(0, failed);
        for (const fire of seen.slice(failed)) owed.delete(fire);
        mark = slices.reduce((rest, slice) => account(rest, slice, left), mark);
        const inGaps = (fire: number) => mark.gaps.some((gap) => fire > gap.from && fire <= gap.to);
        expect([...owed].filter((fire) => !inGaps(fire))).toEqual([]);
      }
    }),
  );
});
