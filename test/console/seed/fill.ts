import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../../functions/console/api/in-parallel.ts';
import type { ClosedDay } from '../../../functions/domain/closed-days/index.ts';
import type { Effect, Ledger } from '../../../functions/domain/ledger.ts';
import { isOpen, type Run } from '../../../functions/domain/run.ts';
import { day } from '../../../functions/domain/time.ts';
import { dayItem } from '../../../functions/store/dynamodb/day-item.ts';
import { runItem } from '../../../functions/store/dynamodb/items.ts';
import { putProgress, seedDays } from './closed-days.ts';
import type { History } from './history.ts';
import { pools } from './jobs.ts';
import { pausedSince } from './lives.ts';

/** What is over of a history. */
export interface Past {
  readonly runs: readonly Run[];
  readonly days: readonly ClosedDay[];
}

/** Writes a history into a ledger. What is over is handed to `write`, all at once; open runs take their places. */
export async function fillLedger(
  ledger: Ledger,
  history: History,
  write: (past: Past) => Promise<void> = async (past) => {
    await inParallel(past.runs, (run) => ledger.create(run));
    await inParallel(past.days, (closed) => ledger.closeDay(closed, { replaces: null }));
  },
): Promise<void> {
  const { jobs, versions, runs, now } = history;
  for (const [name, { capacity }] of Object.entries(pools))
    await ledger.publishPool({ name, capacity }, null);
  await ledger.saveManifest({ version: 1, pools, jobs: jobs.map(({ entry }) => entry) });
  await inParallel(versions, async (ofJob) => {
    for (const [index, version] of ofJob.entries())
      await ledger.publish(version, ofJob[index - 1]?.specId ?? null);
  });
  const days = seedDays(history);
  await write({
    runs: runs.filter(({ state }) => !isOpen(state)),
    days: days.flatMap(({ closed }) => closed),
  });
  await inParallel(days, (ofJob) => putProgress(ledger, ofJob));
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

/** Puts what is over into a table as the store would, many items at a time. */
export function batchesInto(client: DynamoDBClient, table: string): (past: Past) => Promise<void> {
  return async ({ runs, days }) => {
    const items = [...runs.map((run) => runItem(run, 400 * day)), ...days.map(dayItem)];
    const batches = Array.from({ length: Math.ceil(items.length / mostItems) }, (_, index) =>
      items.slice(index * mostItems, (index + 1) * mostItems),
    );
    await inParallel(batches, async (batch) => {
      const puts = batch.map((item) => ({ PutRequest: { Item: item } }));
      const { UnprocessedItems = {} } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: puts } }),
      );
      if (Object.keys(UnprocessedItems).length > 0)
        throw new Error('The emulator left items of a batch unwritten.');
    });
  };
}
