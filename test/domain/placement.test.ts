import { describe, expect, test } from 'vitest';
import { stacksOf } from '../../functions/domain/placement.ts';

const jobIds = Array.from({ length: 2_000 }, (_, index) => `team-${index % 40}/job-${index}`);

describe('a job’s stack', () => {
  test('is one of those that there are, and the same each time', () => {
    for (const jobId of jobIds.slice(0, 50)) {
      expect([...stacksOf(jobId, 5)].sort()).toEqual([1, 2, 3, 4, 5]);
      expect(stacksOf(jobId, 5)).toEqual(stacksOf(jobId, 5));
    }
    expect(stacksOf('a', 1)).toEqual([1]);
  });

  test('holds about as many jobs as any other', () => {
    const stacks = 16;
    const placed = jobIds.map((jobId) => stacksOf(jobId, stacks)[0]);
    const counts = Array.from(
      { length: stacks },
      (_, index) => placed.filter((at) => at === index + 1).length,
    );
    // 125 each; four standard deviations of a binomial distribution.
    for (const count of counts) expect(Math.abs(count - 125)).toBeLessThan(44);
  });

  test('changes with one stack more only for the new one, and is the next of the job’s order where it was before', () => {
    const moved = jobIds.filter((jobId) => stacksOf(jobId, 16)[0] !== stacksOf(jobId, 17)[0]);
    expect(moved.length).toBeGreaterThan(60);
    expect(moved.length).toBeLessThan(180);
    for (const jobId of moved) {
      const [now, next] = stacksOf(jobId, 17);
      expect(now).toBe(17);
      expect(next).toBe(stacksOf(jobId, 16)[0]);
    }
  });
});
