import { describe, expect, test } from 'vitest';
import { minute } from '../../functions/domain/time.ts';
import { type Arrival, type Chaos, chaosOf, type Target } from '../../functions/local/chaos.ts';
import { chooseSeed } from '../support/seeded-random.ts';

const times = Array.from({ length: 2_000 }, (_, index) => index);

function fates(chaos: Chaos, target: Target, place = 'job'): (readonly Arrival[])[] {
  return times.map((nth) => chaos.fateOf(target, place, nth * minute));
}

describe('chaos', () => {
  test('strikes alike under the same seed, whatever happens at other places', () => {
    const seed = chooseSeed();
    console.log(`seed ${seed}`);
    const [one, other] = [chaosOf(seed), chaosOf(seed)];
    const alone = fates(one, 'job');
    const amongOthers = times.map((nth) => {
      other.fateOf('job', 'another job', nth);
      other.fateOf('message', 'control queue', nth);
      return other.fateOf('job', 'job', nth);
    });
    expect(amongOthers).toEqual(alone);
    expect(fates(chaosOf(seed + 1), 'job')).not.toEqual(alone);
    expect(fates(chaosOf(seed), 'job', 'another job')).not.toEqual(alone);
  });

  test('does each thing it can, and leaves most deliveries alone', () => {
    const all = fates(chaosOf(7), 'job');
    const share = (fits: (arrivals: readonly Arrival[]) => boolean) => all.filter(fits).length / all.length;
    expect(share((arrivals) => arrivals.length === 0)).toBeCloseTo(0.1, 1);
    expect(share((arrivals) => arrivals.length === 2)).toBeCloseTo(0.07, 1);
    expect(share((arrivals) => arrivals.length === 3)).toBeCloseTo(0.07, 1);
    expect(share(([first]) => first !== undefined && first.afterMs > 0)).toBeCloseTo(0.18, 1);
    expect(share((arrivals) => arrivals.some(isKilled))).toBeCloseTo(0.15, 1);
    expect(share((arrivals) => isUndisturbed(arrivals))).toBeGreaterThan(0.4);
  });

  test('keeps within its bounds: up to 4 minutes late, killed within 10 s', () => {
    for (const { afterMs, killAfterMs = 5 } of fates(chaosOf(7), 'job').flat()) {
      expect(afterMs).toBeLessThanOrEqual(4 * minute + 20_000);
      expect(killAfterMs).toBeGreaterThanOrEqual(5);
      expect(killAfterMs).toBeLessThanOrEqual(10_000);
    }
  });

  test('kills nobody for a message: its reader is killed in a sweep of its own', () => {
    expect(
      fates(chaosOf(7), 'message')
        .flat()
        .some((arrival) => isKilled(arrival)),
    ).toBe(false);
  });

  test('leaves the reconciler alone for four minutes after it harmed it', () => {
    const sweeps = fates(chaosOf(7), 'reconciler');
    const harmed = times.filter((nth) => isHarmed(sweeps[nth] ?? []));
    expect(harmed.length).toBeGreaterThan(100);
    for (const nth of harmed)
      for (const next of [1, 2, 3])
        expect(sweeps[nth + next]).toEqual(nth + next < times.length ? [{ afterMs: 0 }] : undefined);
  });
});

function isKilled({ killAfterMs }: Arrival): boolean {
  return killAfterMs !== undefined;
}

function isHarmed(arrivals: readonly Arrival[]): boolean {
  return arrivals[0]?.afterMs !== 0 || arrivals.some(isKilled);
}

function isUndisturbed(arrivals: readonly Arrival[]): boolean {
  return arrivals.length === 1 && !isHarmed(arrivals);
}
