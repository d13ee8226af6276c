import { expect, test } from 'vitest';
import { eventAgeMs, offered, offerLifeMs } from '../../functions/domain/offer.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { at } from '../support/jobs.ts';

test.each([
  ['as long as the job’s grace', 3 * minute, 3 * minute],
  ['a minute at least, as Lambda wants it', 10 * second, minute],
  ['six hours at most, as Lambda allows', 7 * hour, 6 * hour],
])('Lambda may keep an event %s', (_rule, graceMs, ageMs) => {
  expect(eventAgeMs(graceMs)).toBe(ageMs);
});

test.each([10 * second, 3 * minute])('an offer outlives the event that carries it: grace %i', (graceMs) => {
  expect(offerLifeMs(graceMs)).toBe(eventAgeMs(graceMs) + minute);
  expect(offered({ graceMs }, { token: 't', now: at('12:00') })).toEqual({
    state: 'offered',
    token: 't',
    attentionAt: at('12:00') + offerLifeMs(graceMs),
  });
});

test('an offer is made anew within minutes whatever the grace, then after twice as long each time, until it outlives its event', () => {
  const lives = [0, 1, 2, 3, 4, 5, 6, 7, 50].map((reoffers) => offerLifeMs(7 * hour, reoffers) / minute);
  expect(lives).toEqual([6, 11, 21, 41, 81, 161, 321, 361, 361]);
});
