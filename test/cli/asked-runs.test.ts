import { expect, test } from 'vitest';
import { runsAround } from '../../functions/cli/runs-around.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { day, hour, minute, toIso } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { at } from '../support/jobs.ts';
import { ranOf, sales } from './contended.ts';

const now = at('04:00');
const asked = { at: now - hour, by: 'ops' };
const due = now - 20 * day;

/** A fire of twenty days ago that ran an hour ago, as a backfill or a retry had it made up; and one that ran when it was due. */
async function lately(verb: 'backfill' | 'retry') {
  const ledger = memoryLedger();
  const range = { from: toIso(due - day), to: toIso(due + day), fires: 1 };
  const details = verb === 'backfill' ? { details: range } : { run: fireKey(due) };
  await ledger.log({ ...asked, verb, jobId: sales.id, ...details });
  await ledger.create(ranOf(sales, due, { late: asked.at - due, requested: asked }));
  await ledger.create(ranOf(sales, due - minute, {}));
  return ledger;
}

test.each(['backfill', 'retry'] as const)(
  'a fire of weeks ago that a %s had run is among what ran then',
  async (verb) => {
    const ledger = await lately(verb);
    const found = await runsAround(ledger, [sales], { from: now - 2 * hour, until: now });
    expect(found.map(({ fireTime }) => fireTime)).toEqual([due]);
    const later = { from: now + 2 * day, until: now + 3 * day };
    expect(await runsAround(ledger, [sales], later)).toEqual([]);
  },
);
