import { expect, test } from 'vitest';
import { instantsOf } from '../../functions/cli/instants.ts';
import { toIso } from '../../functions/domain/time.ts';

const named = (text: string, zone: string | null = 'America/New_York') =>
  instantsOf(text, zone, '--from').map(toIso);

test.each([
  ['2026-12-01T03:00:00Z', '2026-12-01T03:00:00Z'],
  ['2026-12-01T03:00+08:00', '2026-11-30T19:00:00Z'],
  ['2026-12-01T03:00', '2026-12-01T08:00:00Z'],
  ['2026-12-01 03:00', '2026-12-01T08:00:00Z'],
  ['2026-12-01', '2026-12-01T05:00:00Z'],
])('%s is the instant %s', (text, instant) => {
  expect(named(text)).toEqual([instant]);
});

test('a time that the clock shows twice is two instants', () => {
  expect(named('2026-11-01T01:30')).toEqual(['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z']);
});

test.each([
  ['2026-03-08T02:30', 'the clock skips it'],
  ['2026-02-30', 'no such date'],
  ['2026-12-01T25:00', 'no such date'],
  ['tomorrow', 'is not a time; write'],
  ['2026-12-01T03:00:30', 'is not a time; write'],
])('%s is refused', (text, why) => {
  expect(() => named(text)).toThrow(why);
});

test('without a zone in the text and without one job there is no telling', () => {
  expect(() => named('2026-12-01T03:00', null)).toThrow('several jobs have several');
  expect(named('2026-12-01T03:00Z', null)).toEqual(['2026-12-01T03:00:00Z']);
});
