import { expect, test } from 'vitest';
import { isOutdated, succeeded } from '../../functions/domain/succession.ts';
import { minute, second } from '../../functions/domain/time.ts';

/** Loaded long ago. */
const warm = (manifestId: string) => ({ manifestId, loadedAt: 0 });
const now = Date.parse('2026-12-01T03:00:00Z');

test('before the first deploy nobody is outdated, and after it the one that is deployed is not', () => {
  expect(isOutdated(undefined, warm('a'), now)).toBe(false);
  const first = succeeded(undefined, 'a', now);
  expect(first).toEqual({ current: 'a', replaced: {} });
  expect(isOutdated(first, warm('a'), now)).toBe(false);
  expect(succeeded(first, 'a', now + minute)).toBe(first);
});

test('whoever was replaced is outdated for three minutes, and then whoever is still called is what is deployed', () => {
  const after = succeeded({ current: 'a', replaced: {} }, 'b', now);
  expect(isOutdated(after, warm('a'), now)).toBe(true);
  expect(isOutdated(after, warm('a'), now - 30 * second)).toBe(true);
  expect(isOutdated(after, warm('a'), now + 3 * minute - 1)).toBe(true);
  expect(isOutdated(after, warm('a'), now + 3 * minute)).toBe(false);
  expect(isOutdated(after, warm('b'), now + second)).toBe(false);
  expect(isOutdated(after, warm('c'), now + second)).toBe(false);
});

test('of several deploys in a row all that were replaced are outdated; who came back is not, and the list stays short', () => {
  const twice = succeeded(succeeded({ current: 'a', replaced: {} }, 'b', now), 'c', now + minute);
  expect(twice.replaced).toEqual({ a: now, b: now + minute });
  const back = succeeded(twice, 'a', now + 3 * minute);
  expect(back).toEqual({ current: 'a', replaced: { b: now + minute, c: now + 3 * minute } });
  expect(succeeded(back, 'd', now + 10 * minute).replaced).toEqual({ a: now + 10 * minute });
});

test('one with a replaced manifest that was loaded later is a rollback’s; where clocks can’t tell, it waits', () => {
  const after = succeeded({ current: 'a', replaced: {} }, 'b', now);
  const loaded = (loadedAt: number) => isOutdated(after, { manifestId: 'a', loadedAt }, now + minute);
  expect(loaded(now - second)).toBe(true);
  expect(loaded(now + 29 * second)).toBe(true);
  expect(loaded(now + 30 * second)).toBe(false);
});
