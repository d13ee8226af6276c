import { describe, expect, it } from 'vitest';
import type { ManifestJob } from '../../../functions/domain/manifest.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { hour, minute } from '../../../functions/domain/time.ts';
import { queueOrder } from '../../../functions/simulator/invariants/queue-order.ts';
import { due, job, run, watched, worldOf } from './watched.ts';

const slot = { state: 'waiting', reason: 'slot' } as const;
const fire = (minutes: number, more: Partial<Run>) => run({ fireTime: due + minutes * minute, ...more });

/** What is broken by records that are written one after the other, each a minute after its fire. */
function broken(of: Partial<ManifestJob>, ...written: readonly Run[]): readonly string[] {
  const told = watched(queueOrder, worldOf([{ ...job, overlap: 'queue', ...of }]));
  const records = new Map<string, Run>();
  for (const after of written) {
    told.wroteRun(due + hour, records.get(after.key) ?? null, after, false);
    records.set(after.key, after);
  }
  return told.broken;
}

const running = (minutes: number) => fire(minutes, { state: 'running', hasSlot: true });
const waits = (minutes: number) => fire(minutes, slot);
const dropped = (minutes: number, reason: 'superseded' | 'waited-too-long') =>
  fire(minutes, { state: 'skipped', reason });

describe('where fires queue', () => {
  it('a newcomer takes the slot while nobody waits, and one that waited takes it before the others', () => {
    expect(broken({}, running(0), waits(1), fire(1, { state: 'offered', hasSlot: true }))).toEqual([]);
    expect(broken({}, waits(1), waits(2), fire(1, { state: 'offered', hasSlot: true }))).toEqual([]);
  });

  it('it is broken by a newcomer that takes the slot while one waits', () => {
    const told = expect.stringContaining('took the slot while 2026-12-01T03:01:00Z waited for it');
    expect(broken({}, waits(1), running(2))).toEqual([told]);
    expect(broken({}, waits(1), fire(2, { state: 'offered', hasSlot: true }))).toEqual([told]);
    expect(broken({ overlap: 'skip' }, waits(1), running(2))).toEqual([]);
  });

  it('the oldest gives way to as many newer ones as may wait, and to no fewer', () => {
    const queue = [waits(0), waits(1), waits(2)];
    expect(broken({ maxQueued: 2 }, ...queue, dropped(0, 'superseded'))).toEqual([]);
    expect(broken({ overlap: 'queue-one' }, ...queue, dropped(0, 'superseded'))).toEqual([]);
    for (const of of [{ maxQueued: 3 }, {}])
      expect(broken(of, ...queue, dropped(0, 'superseded'))).toEqual([
        expect.stringContaining('gave way to 2 newer fires, and'),
      ]);
    expect(broken({ maxQueued: 2 }, ...queue, dropped(1, 'superseded'))).toHaveLength(1);
  });

  it('a duplicate of one that gave way is counted at any time', () => {
    const counted = { ...dropped(0, 'superseded'), duplicates: 1 };
    const admitted = fire(1, { state: 'offered', hasSlot: true });
    const of = { overlap: 'queue-one' } as const;
    expect(broken(of, waits(0), waits(1), dropped(0, 'superseded'), admitted, counted)).toEqual([]);
  });

  it('none is dropped before it has waited as long as it may', () => {
    expect(broken({ maxWaitMs: 30 * minute }, waits(0), dropped(0, 'waited-too-long'))).toEqual([]);
    expect(broken({ maxWaitMs: 2 * hour }, waits(0), dropped(0, 'waited-too-long'))).toHaveLength(1);
  });
});
