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

test.each([10 * second, 3 * minute, 7 * hour])(
  'an offer outlives the event that carries it: grace %i',
  (graceMs) => {
    expect(offerLifeMs(graceMs)).toBe(eventAgeMs(graceMs) + minute);
    expect(offered({ graceMs }, { token: 't', now: at('12:00') })).toEqual({
      state: 'offered',
      token: 't',
      attentionAt: at('12:00') + offerLifeMs(graceMs),
    });
  },
);
