import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { ZONE_NAMES } from '../../../functions/domain/schedule/zone-names.ts';
import { checkAround, nextTransition } from './agreement.ts';
import { fuzz } from './fuzz.ts';
import { compareWith } from './peers.ts';
import { Random } from './random.ts';

const FROM = Date.UTC(2020, 0);
const TO = Date.UTC(2030, 0);

/** Zones whose clocks are moved alike, and alike set, are one case. */
function distinctTransitions() {
  const distinct = new Map<string, { timezone: string; at: number }>();
  for (const timezone of ZONE_NAMES) {
    for (let at = nextTransition(timezone, FROM); at !== null && at < TO; at = nextTransition(timezone, at)) {
      const shown = (instant: number) =>
        new Temporal.ZonedDateTime(BigInt(instant) * 1_000_000n, timezone).toPlainDateTime().toString();
      distinct.set(`${shown(at - 1)} ${shown(at)} ${at}`, { timezone, at });
    }
  }
  return [...distinct.values()];
}

test('agrees with a walk of every minute around every change of the clocks in ten years', () => {
  const random = new Random('every transition');
  const transitions = distinctTransitions();
  for (const transition of transitions) checkAround(random, transition);
  console.info(`${transitions.length} changes, ${transitions.length * 10} expressions`);
  expect(transitions.length).toBeGreaterThan(200);
});

test.each(['croner', 'cron-parser'] as const)('agrees with %s in 100,000 answers', (peer) => {
  const { unexplained, ...counts } = compareWith(peer, new Random(peer), 100_000);
  console.info(peer, counts);
  expect(unexplained).toEqual([]);
});

test('a million texts are followed or refused', () => {
  const { followed, refused } = fuzz(new Random('fuzz'), 1_000_000);
  console.info({ followed, refused });
  expect(Math.min(followed, refused)).toBeGreaterThan(50_000);
});
