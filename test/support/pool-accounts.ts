import { holdsOf, isCountedFor } from '../../functions/domain/holds.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { runId } from '../../functions/domain/names.ts';
import { isQueued } from '../../functions/domain/queue.ts';
import type { Run } from '../../functions/domain/run.ts';

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
  for (const { name, capacity, free, waiting, holds } of (await ledger.pools(pools)).values()) {
    const held = sorted(runs.flatMap((run) => weightOf(holdsOf(run), name, run)));
    const counted = runs.filter((run) => isCountedFor(run)[name] !== undefined).length;
    compare(`holds of ${name}`, sorted(Object.entries(holds)), held);
    compare(`free of ${name}`, free, capacity - sum(held));
    compare(`waiting for ${name}`, waiting, counted);
  }
  for (const { jobId, slot, queued } of (await ledger.jobs(runs.map((run) => run.jobId))).values()) {
    const mine = runs.filter((run) => run.jobId === jobId);
    const owners = mine.filter(({ hasSlot }) => hasSlot).map(({ key }) => key);
    compare(`slot of ${jobId}`, slot === undefined ? [] : [slot], owners);
    compare(`queued of ${jobId}`, queued, mine.filter(isQueued).length);
  }
  return found;
}

type Weight = [runId: string, weight: number];

function weightOf(weights: Readonly<Record<string, number>>, pool: string, run: Run): Weight[] {
  const weight = weights[pool];
  return weight === undefined ? [] : [[runId(run), weight]];
}

function sorted(weights: readonly Weight[]): Weight[] {
  return [...weights].sort(([a], [b]) => (a < b ? -1 : 1));
}

function sum(weights: readonly Weight[]): number {
  return weights.reduce((total, [, weight]) => total + weight, 0);
}
