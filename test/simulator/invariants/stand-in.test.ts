import { describe, expect, it } from 'vitest';
import { fireKey } from '../../../functions/domain/names.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { minute } from '../../../functions/domain/time.ts';
import { standIn } from '../../../functions/simulator/invariants/stand-in.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { body, due, run, watched } from './watched.ts';

const [first, second] = [due - 2 * minute, due - minute];
const by = (fireTime: number, stand: number) =>
  run({ fireTime, state: 'skipped', reason: 'superseded', supersededBy: fireKey(stand) });
const made = (more: Partial<Run> = {}) => run({ trigger: 'backfill', state: 'succeeded', ...more });

/** A chain: 02:58 was left to 02:59, and that to 03:00. */
function chain(end: Run | null = made()) {
  const told = watched(standIn);
  for (const one of [by(first, second), by(second, due), ...(end ? [end] : [])])
    told.wroteRun(due, null, one, false);
  return told;
}

async function atRest(told: ReturnType<typeof chain>) {
  await told.atRest(due, memoryLedger());
  return told.broken;
}

describe('a superseded fire is left to a newer run, which is told of every fire that it stands for', () => {
  it('holds for a chain whose end was told of all', async () => {
    const told = chain();
    told.bodyBegan(due, body({ trigger: 'backfill', covers: [first, second] }));
    expect(await atRest(told)).toEqual([]);
  });
  it('holds for an end that never ran, since it was canceled', async () =>
    expect(await atRest(chain(made({ state: 'canceled', reason: 'removed' })))).toEqual([]));

  it.each([
    ['too few', [second]],
    ['too many', [first - minute, first, second]],
    ['the wrong order', [second, first]],
  ])('is broken by a run that is told of %s', (_what, covers) => {
    const told = chain();
    told.bodyBegan(due, body({ trigger: 'backfill', covers }));
    expect(told.broken).toHaveLength(1);
  });
  it('is broken by a fire that is left to an older one', () => {
    const told = watched(standIn);
    told.wroteRun(due, null, by(due, second), false);
    expect(told.broken).toEqual([expect.stringContaining('which is not newer')]);
  });
  it('is broken by a chain that ends in nothing', async () =>
    expect(await atRest(chain(null))).toContainEqual(
      expect.stringContaining('by a run that does not exist'),
    ));
  it('is broken by a chain whose end does not run', async () =>
    expect(await atRest(chain(run({ state: 'skipped', reason: 'edited' })))).toContainEqual(
      expect.stringContaining('was superseded by 2026-12-01T03:00:00Z, which is skipped: edited'),
    ));
  it('is broken by a fire that is left to a run after it began', async () => {
    const told = watched(standIn);
    told.bodyBegan(due, body());
    told.wroteRun(due, null, made(), false);
    told.wroteRun(due, null, by(second, due), false);
    expect(await atRest(told)).toEqual([expect.stringContaining('which was not told of it')]);
  });
});
