import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CloudEvent } from '../../functions/local/events.ts';
import { foldDuplicates } from '../../functions/local/fold-duplicates.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
afterEach(() => void vi.useRealTimers());

function handled(run: string, outcome: 'duplicate' | 'succeeded' = 'duplicate'): CloudEvent {
  return { kind: 'handled', at: 0, jobId: 'job', startedAt: 0, requestId: 'r', handled: { outcome, run } };
}

function folded() {
  const told: CloudEvent[] = [];
  return { told, ...foldDuplicates((event) => void told.push(event)) };
}

test('the refused deliveries of one fire are told as one, after those that come together', () => {
  const { told, tell } = folded();
  for (const run of ['job#1', 'job#1', 'job#2']) tell(handled(run));
  expect(told).toEqual([]);
  vi.runAllTimers();
  expect(told).toMatchObject([
    { kind: 'duplicates', run: 'job#1', count: 2 },
    { kind: 'duplicates', run: 'job#2', count: 1 },
  ]);
});

test('everything else is told at once', () => {
  const { told, tell } = folded();
  tell(handled('job#1', 'succeeded'));
  expect(told).toEqual([handled('job#1', 'succeeded')]);
});

test('what is still being counted is told at the end', () => {
  const { told, tell, flush } = folded();
  tell(handled('job#1'));
  flush();
  vi.runAllTimers();
  expect(told).toMatchObject([{ kind: 'duplicates', count: 1 }]);
});
