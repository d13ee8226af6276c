import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../functions/simulator/invariants/one-at-a-time.ts';
import { body, due, job, run, watched, worldOf } from './watched.ts';

const next = due + 60_000;
const allowed = { ...job, overlap: 'allow' } as const;

describe('unless its overlap is allowed, no two executions of a job are alive at the same time', () => {
  it('holds for one run after the other', () => {
    const told = watched(oneAtATime);
    const first = body();
    told.bodyBegan(due, first);
    told.bodyEnded(due + 1, first, 'returned');
    told.bodyBegan(next, body({ fireTime: next }));
    expect(told.broken).toEqual([]);
  });

  it('is broken by two of one job', () => {
    const told = watched(oneAtATime);
    told.bodyBegan(due, body());
    told.bodyBegan(next, body({ fireTime: next }));
    expect(told.broken).toEqual([
      'billing/send-invoices#2026-12-01T03:01:00Z: began while billing/send-invoices#2026-12-01T03:00:00Z was alive',
    ]);
  });

  it('holds for two of a job that allows it', () => {
    const told = watched(oneAtATime, worldOf([allowed]));
    told.bodyBegan(due, body());
    told.bodyBegan(next, body({ fireTime: next }));
    expect(told.broken).toEqual([]);
  });

  it('where an edit allows it, is broken by two that have the slot, and holds when one has none', () => {
    const world = worldOf([job], [allowed]);
    const [told, toldToo] = [watched(oneAtATime, world), watched(oneAtATime, world)];
    for (const { wroteRun, bodyBegan } of [told, toldToo]) {
      wroteRun(due, null, run({ state: 'running', hasSlot: true }), false);
      bodyBegan(due, body());
    }
    told.wroteRun(next, null, run({ fireTime: next, state: 'running', hasSlot: true }), false);
    toldToo.wroteRun(next, null, run({ fireTime: next, state: 'running' }), false);
    for (const { bodyBegan } of [told, toldToo]) bodyBegan(next, body({ fireTime: next }));
    expect([told.broken.length, toldToo.broken.length]).toEqual([1, 0]);
  });
});
