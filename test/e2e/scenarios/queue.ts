import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../functions/domain/time.ts';
import { endClean, eventually, type RunJson, runsOf } from '../ledger.ts';
import { everyMinute, inScenario, isReady } from '../system.ts';

const takesMs = 75 * second;
const job = everyMinute(
  `await pause(${takesMs}, undefined, { signal: ctx.signal });`,
  "overlap: 'queue', timeout: '2 minutes',",
);

describe.concurrent('a job whose runs take longer than the time between them', () => {
  test('has its fires wait for each other, and the next starts within seconds of the end of the one before', () =>
    inScenario(async (scenario) => {
      const data = scenario.path('data');
      const jobs = scenario.jobs({ 'job.ts': job });
      const system = scenario.start('--json', '--no-console', '--data', data, '--jobs', jobs);
      await system.until(isReady);
      const { handled } = await system.until(
        (event) => event.kind === 'handled' && (event.handled as { outcome: string }).outcome === 'waiting',
      );
      const runs = await eventually(
        () => runsOf(data, 'job'),
        (newest) => newest.filter(({ state }) => state === 'succeeded').length >= 2,
        2 * (takesMs + minute),
      );
      const [first, next] = runs.toReversed();
      expect(next?.id).toBe((handled as { run: string }).run);
      const freed = Date.parse(first?.attempts[0]?.settledAt ?? '');
      const started = Date.parse(next?.attempts[0]?.startedAt ?? '');
      expect(started).toBeGreaterThanOrEqual(freed);
      expect(started - freed).toBeLessThan(10 * second);
      expect(runs.filter(isSkipped)).toEqual([]);
      if (first !== undefined) await endClean(system, data, first);
    }));
});

function isSkipped({ state }: RunJson): boolean {
  return state === 'skipped';
}
