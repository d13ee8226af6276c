import { describe, expect, it } from 'vitest';
import { hour, minute, second } from '../../../functions/domain/time.ts';
import { withinItsTime } from '../../../functions/simulator/invariants/within-its-time.ts';
import { body, due, run, watched } from './watched.ts';

function began(late: number, more: Parameters<typeof body>[0] = {}) {
  const told = watched(withinItsTime);
  told.bodyBegan(due + late, body(more));
  return told.broken;
}

function recorded(late: number, more: Parameters<typeof run>[0]) {
  const told = watched(withinItsTime);
  told.wroteRun(due + late, null, run({ createdAt: due + late, ...more }), false);
  return told.broken;
}

describe('nothing begins before it is due, nothing after its grace without an offer', () => {
  it('holds for a delivery within its grace by its own clock', () => {
    expect(began(-20 * second)).toEqual([]);
    expect(began(-50 * second, { skewMs: 20 * second })).toEqual([]);
    expect(began(3 * minute)).toEqual([]);
  });
  it('holds for an offer of a fire whose delivery came early and had to queue', () => {
    const told = watched(withinItsTime);
    const queued = run({ state: 'waiting', reason: 'slot', createdAt: due - 20 * second });
    told.wroteRun(due - 40 * second, null, queued, false);
    told.bodyBegan(due - 35 * second, body({ byOffer: true }));
    expect(told.broken).toEqual([]);
  });
  it('holds for an offer at any time afterwards', () => expect(began(hour, { byOffer: true })).toEqual([]));
  it('holds for what a person started', () => expect(began(-hour, { trigger: 'manual' })).toEqual([]));

  it('is broken by an early delivery', () =>
    expect(began(-31 * second)).toEqual([
      expect.stringContaining('a delivery began it 31000 ms early by its clock'),
    ]));
  it('is broken by a late delivery', () =>
    expect(began(4 * minute)).toEqual([expect.stringContaining('late')]));
  it('is broken by an early offer', () => expect(began(-31 * second, { byOffer: true })).toHaveLength(1));
});

describe('what has no record is offered within its grace, and missed after it', () => {
  it('holds for each in its time', () => {
    expect(recorded(minute, { state: 'offered' })).toEqual([]);
    expect(recorded(4 * minute, { state: 'waiting', reason: 'catch-up' })).toEqual([]);
  });
  it('is broken by one that is missed within its grace', () => {
    expect(recorded(2 * minute, { state: 'missed', reason: 'policy' })).toHaveLength(1);
    expect(recorded(2 * minute, { state: 'waiting', reason: 'catch-up' })).toHaveLength(1);
    expect(recorded(2 * minute, { state: 'skipped', reason: 'superseded' })).toHaveLength(1);
  });
  it('is broken by one that queues out of its time', () => {
    const queues = { state: 'waiting', reason: 'slot' } as const;
    expect(recorded(-30 * second, queues)).toEqual([]);
    expect(recorded(3 * minute, queues)).toEqual([]);
    expect(recorded(-31 * second, queues)).toHaveLength(1);
    expect(recorded(4 * minute, queues)).toHaveLength(1);
  });
  it('is broken by a live offer after its grace, or before it is due', () => {
    expect(recorded(4 * minute, { state: 'offered' })).toHaveLength(1);
    expect(recorded(-second, { state: 'offered' })).toHaveLength(1);
  });
});
