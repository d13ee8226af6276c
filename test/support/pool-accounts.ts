import type { Ledger } from '../../functions/domain/ledger.ts';
import { isQueued } from '../../functions/domain/queue.ts';
import type { Run } from '../../functions/domain/run.ts';
import { brokenPool } from './pool-rules.ts';

/**
 * What of pools, slots and counts doesn't agree with the runs: what is held, taken or counted on the items, against what the
 * records say. Empty: nothing has leaked, and nothing was given back twice.
 */
export async function disagreements(
  ledger: Ledger,
  { pools, runs }: { pools: readonly string[]; runs: readonly Run[] },
): Promise<string[]> {
  const found: string[] = [];
  const compare = (what: string, item: unknown, records: unknown) => {
    const [ours, theirs] = [JSON.stringify(item), JSON.stringify(records)];
    if (ours !== theirs) found.push(`${what}: ${ours}, by the records ${theirs}`);
  };
  for (const pool of (await ledger.pools(pools)).values()) found.push(...brokenPool(pool, runs));
  for (const { jobId, slot, queued } of (await ledger.jobs(runs.map((run) => run.jobId))).values()) {
    const mine = runs.filter((run) => run.jobId === jobId);
    const owners = mine.filter(({ hasSlot }) => hasSlot).map(({ key }) => key);
    compare(`slot of ${jobId}`, slot === undefined ? [] : [slot], owners);
    compare(`queued of ${jobId}`, queued, mine.filter(isQueued).length);
  }
  return found;
}
