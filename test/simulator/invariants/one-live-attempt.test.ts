import { describe, expect, it } from 'vitest';
import { oneLiveAttempt } from '../../../functions/simulator/invariants/one-live-attempt.ts';
import { body, due, watched } from './watched.ts';

describe('no two executions of one run are alive at the same time', () => {
  it('holds for one after the other, and for two runs side by side', () => {
    const told = watched(oneLiveAttempt);
    const first = body();
    told.bodyBegan(due, first);
    told.bodyBegan(due, body({ fireTime: due + 60_000 }));
    told.bodyEnded(due + 1, first, 'killed');
    told.bodyBegan(due + 2, body({ attempt: 2 }));
    expect(told.broken).toEqual([]);
  });

  it('is broken by a second one that begins before the first is over', () => {
    const told = watched(oneLiveAttempt);
    told.bodyBegan(due, body());
    told.bodyBegan(due + 1, body({ attempt: 2 }));
    expect(told.broken).toEqual([
      'billing/send-invoices#2026-12-01T03:00:00Z: attempt 2 began while attempt 1 was alive',
    ]);
  });
});
