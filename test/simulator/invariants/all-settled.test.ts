import { describe, expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { allSettled } from '../../../functions/simulator/invariants/all-settled.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { due, job, run, watched, worldOf } from './watched.ts';

async function atRest(record: Run, crashed: 'rerun' | 'park' = 'park') {
  const told = watched(allSettled, worldOf([{ ...job, crashed }]));
  const ledger = memoryLedger();
  await ledger.create(record);
  await told.atRest(due, ledger);
  return told.broken;
}

const parked = run({ state: 'parked', reason: 'crashed', attentionAt: 8_640_000_000_000_000 });

describe('at rest every record is terminal or waits for a person', () => {
  it.each([
    ['terminal', run({ settledAt: due })],
    ['parked after a crash', parked],
  ])('holds for one that is %s', async (_what, record) => expect(await atRest(record)).toEqual([]));

  it.each([
    ['is still running', run({ state: 'running', attentionAt: due }), 'is still running at rest'],
    [
      'is parked for another reason',
      { ...parked, reason: 'error' as const },
      'is still parked: error at rest',
    ],
    ['is settled without an instant', run(), 'is missed without an instant of settling'],
    [
      'is terminal and in the index of open runs',
      run({ settledAt: due, attentionAt: due }),
      'still in the index',
    ],
    ['is parked and not in the index', run({ state: 'parked', reason: 'crashed' }), 'not in the index'],
  ])('is broken by one that %s', async (_what, record, problem) =>
    expect(await atRest(record)).toContainEqual(expect.stringContaining(problem)),
  );

  it('is broken by one that is parked though its job wants it run again', async () =>
    expect(await atRest(parked, 'rerun')).toEqual([expect.stringContaining('is still parked: crashed')]));
});
