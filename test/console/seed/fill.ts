import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../../functions/console/api/in-parallel.ts';
import type { Effect, Ledger } from '../../../functions/domain/ledger.ts';
import { isOpen, type Run } from '../../../functions/domain/run.ts';
import { day } from '../../../functions/domain/time.ts';
import { runItem } from '../../../functions/store/dynamodb/items.ts';
import type { History } from './history.ts';
import { pools } from './jobs.ts';
import { pausedSince } from './lives.ts';

/** Writes a history into a ledger. Runs that are over are handed to `write`, all at once; open ones take their places. */
export async function fillLedger(
  ledger: Ledger,
  { jobs, versions, runs, now }: History,
  write: (runs: readonly Run[]) => Promise<void> = async (over) =>
    void (await inParallel(over, (run) => ledger.create(run))),
): Promise<void> {
  for (const [name, { capacity }] of Object.entries(pools))
    await ledger.publishPool({ name, capacity }, null);
  await ledger.saveManifest({ version: 1, pools, jobs: jobs.map(({ entry }) => entry) });
  await inParallel(versions, async (ofJob) => {
    for (const [index, version] of ofJob.entries())
      await ledger.publish(version, ofJob[index - 1]?.specId ?? null);
  });
  await write(runs.filter(({ state }) => !isOpen(state)));
  for (const run of runs) if (isOpen(run.state)) await create(ledger, run);
  for (const job of jobs) {
    const at = pausedSince(job, now);
    const pause = { at, by: 'ops', note: 'it fails, and is looked into' };
    const action = { ...pause, verb: 'pause', jobId: job.entry.id } as const;
    if (at < now) await ledger.setPause(job.entry.id, pause, { action });
  }
}

async function create(ledger: Ledger, run: Run): Promise<void> {
  const { kind } = await ledger.create(run, placesOf(run));
  if (kind !== 'done') throw new Error(`The seed's ${run.state} ${run.jobId}#${run.key} was ${kind}.`);
}

/** What an open run has of its job and of pools. */
function placesOf({ state, reason, hasSlot, holds = {}, waitsFor = {} }: Run): Effect {
  const taken = state === 'running' ? Object.entries(holds) : [];
  const waited = state === 'waiting' ? Object.keys(waitsFor) : [];
  return {
    ...(hasSlot && { slot: 'take' }),
    ...(state === 'waiting' && reason === 'slot' && { addQueued: 1 }),
    pools: [
      ...taken.map(([pool, weight]) => ({ pool, hold: { kind: 'take', weight } as const })),
      ...waited.map((pool) => ({ pool, addWaiting: 1 }) as const),
    ],
  };
}

const mostItems = 25;

/** Puts runs into a table as the store would, many at a time. */
export function batchesInto(client: DynamoDBClient, table: string): (runs: readonly Run[]) => Promise<void> {
  return async (runs) => {
    const batches = Array.from({ length: Math.ceil(runs.length / mostItems) }, (_, index) =>
      runs.slice(index * mostItems, (index + 1) * mostItems),
    );
    await inParallel(batches, async (batch) => {
      const puts = batch.map((run) => ({ PutRequest: { Item: runItem(run, 400 * day) } }));
      const { UnprocessedItems = {} } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: puts } }),
      );
      if (Object.keys(UnprocessedItems).length > 0)
        throw new Error('The emulator left items of a batch unwritten.');
    });
  };
}
