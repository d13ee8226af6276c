import { expect, test } from 'vitest';
import { endsOf, instantsOf, readingZone } from '../../functions/cli/instants.ts';
import { toIso } from '../../functions/domain/time.ts';

const named = (text: string) => instantsOf(text, 'America/New_York', '--from').map(toIso);

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

test.each([
  ['America/New_York', '2026-11-30', '2026-12-01T05:00:00Z'],
  ['America/New_York', '2026-11-01', '2026-11-02T05:00:00Z'],
  ['America/New_York', '2026-12-31', '2027-01-01T05:00:00Z'],
  ['Africa/Cairo', '2026-04-23', '2026-04-23T22:00:00Z'],
])('in %s a range up to %s has the whole of that day, and nothing of the next', (timezone, to, next) => {
  const { end } = endsOf({ from: to, to }, { timezone, now: Date.parse('2026-12-01T00:00:00Z') });
  expect(end).toBe(Date.parse(next) - 1);
});

test('a day whose midnight the clock skips begins when that is over', () => {
  expect(instantsOf('2026-04-24', 'Africa/Cairo', '--from').map(toIso)).toEqual(['2026-04-23T22:00:00Z']);
});

test('a range up to no date is refused', () => {
  expect(() => endsOf({ to: '2026-02-30' }, { timezone: 'Asia/Taipei', now: 0 })).toThrow('no such date');
});

test('times without a zone are read in the one zone of all jobs, else as UTC, and that is said to people', () => {
  const said: string[] = [];
  const warn = (text: string) => said.push(text);
  const [one, several] = [
    ['Asia/Taipei', 'Asia/Taipei'],
    ['Asia/Taipei', 'UTC'],
  ];
  expect(readingZone(several, { from: '20:00', to: '2026-12-01T03:00Z' }, { warn })).toBe('UTC');
  expect(said).toEqual([expect.stringMatching(/^20:00: read as UTC, since several jobs have several zones/)]);
  expect(readingZone(one, { from: '2026-12-01' }, { warn })).toBe('Asia/Taipei');
  expect(readingZone(several, { from: '2026-12-01T03:00+08:00' }, { warn })).toBe('UTC');
  expect(readingZone(several, { from: '2026-12-01', json: true }, { warn })).toBe('UTC');
  expect(readingZone([], { from: '2026-12-01' }, { warn })).toBe('UTC');
  expect(said).toHaveLength(1);
});
