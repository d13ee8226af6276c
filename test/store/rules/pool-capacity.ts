import { expect, it } from 'vitest';
import type { Ledger } from '../../../functions/domain/ledger.ts';
import { runId } from '../../../functions/domain/names.ts';
import { minute } from '../../../functions/domain/time.ts';
import { fireTime, publishFirst, record } from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';

const name = 'reports-db';

async function pool(ledger: Ledger) {
  return (await ledger.pools([name])).get(name);
}

function run(index: number) {
  return record(fireTime + index * minute, { state: 'running' });
}

/** The nth run takes so much, or gives it back. */
function take(ledger: Ledger, index: number, weight: number) {
  return ledger.create(run(index), { pools: [{ pool: name, hold: { kind: 'take', weight } }] });
}

function giveBack(ledger: Ledger, index: number, weight: number) {
  const { state, token } = run(index);
  const effect = { pools: [{ pool: name, hold: { kind: 'free', weight } }] } as const;
  return ledger.move(run(index), { state, token }, { set: { state: 'failed' } }, { effect });
}

/** Capacities, as a deploy puts them in force. */
export function poolCapacityRules(open: Opener): void {
  it('begins with all of it free, and is unknown until then', async () => {
    const { ledger } = await open();
    expect(await ledger.pools([name])).toEqual(new Map());
    expect(await ledger.publishPool({ name, capacity: 3 }, null)).toBe('done');
    expect(await pool(ledger)).toEqual({ name, capacity: 3, free: 3, waiting: 0, holds: {} });
  });

  it('replaces only the capacity that it was told of', async () => {
    const { ledger } = await open();
    expect(await ledger.publishPool({ name, capacity: 3 }, 2)).toBe('refused');
    expect(await pool(ledger)).toBeUndefined();
    await ledger.publishPool({ name, capacity: 3 }, null);
    const before = await pool(ledger);
    for (const replaces of [null, 2, 4])
      expect(await ledger.publishPool({ name, capacity: 5 }, replaces)).toBe('refused');
    expect(await pool(ledger)).toEqual(before);
    expect(await ledger.publishPool({ name, capacity: 5 }, 3)).toBe('done');
    expect(await pool(ledger)).toMatchObject({ capacity: 5, free: 5 });
  });

  it('is applied once, though it is written twice', async () => {
    const { ledger } = await open();
    for (const [capacity, replaces] of [[3, null] as const, [8, 3] as const, [1, 8] as const]) {
      for (const _time of ['first', 'second'])
        expect(await ledger.publishPool({ name, capacity }, replaces)).toBe('done');
      expect(await pool(ledger)).toMatchObject({ capacity, free: capacity });
    }
  });

  it('is applied once when its answer was lost', async () => {
    const { ledger, loseNextAnswer } = await open();
    for (const [capacity, replaces] of [[5, null] as const, [2, 5] as const, [4, 2] as const]) {
      loseNextAnswer();
      await expect(ledger.publishPool({ name, capacity }, replaces)).rejects.toThrow('lost');
      expect(await ledger.publishPool({ name, capacity }, replaces)).toBe('done');
      expect(await pool(ledger)).toMatchObject({ capacity, free: capacity });
    }
  });

  it('stays as it is when the same is published again', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    await ledger.publishPool({ name, capacity: 3 }, null);
    await take(ledger, 1, 2);
    expect(await ledger.publishPool({ name, capacity: 3 }, 3)).toBe('done');
    expect(await pool(ledger)).toMatchObject({ capacity: 3, free: 1 });
  });

  it('leaves what runs hold and who waits when it is raised or lowered', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    await ledger.publishPool({ name, capacity: 3 }, null);
    await take(ledger, 1, 2);
    await ledger.create(run(2), { pools: [{ pool: name, addWaiting: 1 }] });
    const standing = { name, waiting: 1, holds: { [runId(run(1))]: 2 } };
    for (const [capacity, replaces] of [[6, 3] as const, [2, 6] as const]) {
      await ledger.publishPool({ name, capacity }, replaces);
      expect(await pool(ledger)).toEqual({ ...standing, capacity, free: capacity - 2 });
    }
  });

  it('lowered below what is held drains: nothing is taken until enough came back', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    await ledger.publishPool({ name, capacity: 5 }, null);
    await take(ledger, 1, 3);
    await take(ledger, 2, 2);
    await ledger.publishPool({ name, capacity: 2 }, 5);
    expect(await pool(ledger)).toMatchObject({ capacity: 2, free: -3 });
    expect((await take(ledger, 3, 1)).kind).toBe('refused');
    expect((await giveBack(ledger, 2, 2)).kind).toBe('done');
    expect(await pool(ledger)).toMatchObject({ free: -1 });
    expect((await take(ledger, 3, 1)).kind).toBe('refused');
    expect((await giveBack(ledger, 1, 3)).kind).toBe('done');
    expect(await pool(ledger)).toMatchObject({ free: 2, holds: {} });
    expect((await take(ledger, 3, 2)).kind).toBe('done');
    expect(await pool(ledger)).toMatchObject({ free: 0 });
  });

  it('raised is free at once', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    await ledger.publishPool({ name, capacity: 1 }, null);
    await take(ledger, 1, 1);
    expect((await take(ledger, 2, 2)).kind).toBe('refused');
    await ledger.publishPool({ name, capacity: 3 }, 1);
    expect((await take(ledger, 2, 2)).kind).toBe('done');
    expect(await pool(ledger)).toMatchObject({ capacity: 3, free: 0 });
  });
}
