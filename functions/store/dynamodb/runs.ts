import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { table } from '../../contract.ts';
import type { Answer, Effect, Fence, Ledger, OnUnreadable, OpenRef, RunChange } from '../../domain/ledger.ts';
import { type RunRef, runId } from '../../domain/names.ts';
import type { Run, Suspicion } from '../../domain/run.ts';
import { lineOf } from './attempt-log.ts';
import { attributesOf } from './attributes.ts';
import { fenceHolds, isAbsent, isKnown } from './conditions.ts';
import type { Database } from './database.ts';
import { reopened } from './days.ts';
import { Changes, under } from './expressions.ts';
import {
  jobStateOf,
  openAttributes,
  poolStateOf,
  runItem,
  runOf,
  unsaidOfRuns,
  withAuthorsValues,
} from './items.ts';
import { effectOnJob } from './job-effect.ts';
import { fireRange, type Item, jobPartition, runKey, runRefOf } from './keys.ts';
import { logged } from './log.ts';
import { effectOnPool } from './pool-effect.ts';
import { get, getAll, queryAll, queryPages } from './read.ts';
import { crowded, type Outcome, put, transact, update } from './write.ts';

type RunVerbs = Pick<
  Ledger,
  'create' | 'move' | 'countDuplicate' | 'suspect' | 'run' | 'runs' | 'history' | 'open'
>;

/** The verbs of runs. */
export function runVerbs(db: Database): RunVerbs {
  return {
    create: (run, effect) => create(db, run, effect),
    move: (ref, fence, change, options) => move(db, ref, fence, change, options),
    countDuplicate: (ref) => countDuplicate(db, ref),
    suspect: (ref, suspicion) => suspect(db, ref, suspicion),
    run: (ref) => readRun(db, ref),
    runs: (refs, onUnreadable) => readRuns(db, refs, onUnreadable),
    history: (jobId, range) => history(db, jobId, range),
    open: (until, limit, from) => open(db, { from, until, limit }),
  };
}

const unlessRecorded = under(isAbsent);

async function create(db: Database, run: Run, effect?: Effect): Promise<Answer> {
  const write = { ...unlessRecorded, Item: runItem(run, db.retentionMs) };
  if (effect === undefined) return answerOf(await put(db, write));
  const claim: TransactWriteItem = { Put: { ...write, TableName: db.table } };
  return answerOf(await transact(db, [claim, ...effectsOf(db, run, effect)]), effect);
}

async function move(
  db: Database,
  ref: RunRef,
  fence: Fence,
  change: RunChange,
  { effect, requestToken }: { effect?: Effect; requestToken?: string } = {},
): Promise<Answer> {
  if (effect === undefined) return answerOf(await update(db, updateOf(ref, fence, change)));
  const items = [moveItem(db, ref, fence, change), ...effectsOf(db, ref, effect)];
  return answerOf(await transact(db, items, requestToken), effect);
}

/** A move as a part of a transaction. */
export function moveItem(db: Database, ref: RunRef, fence: Fence, change: RunChange): TransactWriteItem {
  return { Update: { ...updateOf(ref, fence, change), TableName: db.table } };
}

function updateOf(ref: RunRef, fence: Fence, change: RunChange) {
  return { ...changesOf(ref, change).under(fenceHolds(fence)), Key: runKey(ref) };
}

/** In the order in which `answerOf` reads what stood in their way. */
export function effectsOf(db: Database, ref: RunRef, effect: Effect): TransactWriteItem[] {
  const { pools = [], action, reopens } = effect;
  return [
    effectOnJob(db, ref, effect),
    ...pools.map((pool) => effectOnPool(db, ref, pool)),
    ...(action === undefined ? [] : [logged(db, action)]),
    ...(reopens === undefined ? [] : [reopened(db, ref.jobId, reopens)]),
  ];
}

function changesOf(ref: RunRef, { set, clear = [], attempt, settle, measured }: RunChange): Changes {
  const values = { ...withAuthorsValues(set), ...openAttributes(ref, set.attentionAt) };
  const changes = new Changes().setAll(values, unsaidOfRuns).remove(...clear);
  if (clear.includes('attentionAt')) changes.remove(table.openIndex.partitionKey);
  const lines = [attempt, settle, measured].filter((part) => part !== undefined).map(lineOf);
  return lines.length === 0 ? changes : changes.append('attempts', lines);
}

export function answerOf(outcome: Outcome, { pools = [] }: Effect = {}): Answer {
  if (outcome.kind === 'conflict') return outcome;
  if (outcome.kind === 'done')
    return outcome.item === undefined ? { kind: 'done' } : { kind: 'done', run: runOf(outcome.item) };
  const [run, job, ...ofPools] = outcome.items;
  const inTheWay = pools.flatMap(({ pool }, index) => {
    const item = ofPools[index];
    return item === undefined ? [] : [[pool, item && poolStateOf(item)] as const];
  });
  return {
    kind: 'refused',
    ...(run === undefined ? {} : { run: run && runOf(run) }),
    ...(job === undefined ? {} : { job: job && jobStateOf(job) }),
    ...(inTheWay.length === 0 ? {} : { pools: Object.fromEntries(inTheWay) }),
  };
}

async function countDuplicate(db: Database, ref: RunRef): Promise<void> {
  const counted = new Changes().add('duplicates', 1);
  const outcome = await update(db, { Key: runKey(ref), ...counted.under(isKnown) });
  if (outcome.kind === 'conflict')
    throw new Error(`A duplicate of ${runId(ref)} could not be counted: ${crowded}`);
}

/** Two requests in a rare case: which attempt it was must be known before its token can be the condition. */
async function suspect(db: Database, ref: RunRef, suspicion: Suspicion): Promise<boolean> {
  const attempt = (await readRun(db, ref))?.attempts.at(-1);
  if (attempt?.requestId !== suspicion.requestId) return false;
  const noted = new Changes().set('suspected', suspicion);
  const running = fenceHolds({ state: 'running', token: attempt.token });
  const outcome = await update(db, { Key: runKey(ref), ...noted.under(running) });
  if (outcome.kind === 'conflict')
    throw new Error(`A suspicion on ${runId(ref)} could not be noted: ${crowded}`);
  return outcome.kind === 'done';
}

async function readRun(db: Database, ref: RunRef): Promise<Run | null> {
  const item = await get(db, runKey(ref));
  return item && runOf(item);
}

async function readRuns(
  db: Database,
  refs: readonly RunRef[],
  onUnreadable: OnUnreadable | undefined,
): Promise<Run[]> {
  const wanted = new Map(refs.map((ref) => [runId(ref), runKey(ref)]));
  const items = await getAll(db, [...wanted.values()]);
  const runs = items.flatMap((item) => readable(item, onUnreadable));
  const found = new Map(runs.map((run) => [runId(run), run]));
  return [...wanted.keys()].flatMap((id) => found.get(id) ?? []);
}

function readable(item: Item, onUnreadable: OnUnreadable | undefined): Run[] {
  try {
    return [runOf(item)];
  } catch (error) {
    if (onUnreadable === undefined) throw error;
    onUnreadable(runRefOf(item), error);
    return [];
  }
}

async function* history(
  db: Database,
  jobId: string,
  { from, to, order, limit }: Parameters<Ledger['history']>[1],
): AsyncGenerator<Run> {
  const { first, last } = fireRange(from, to);
  if (first > last) return;
  const range = {
    KeyConditionExpression: '#pk = :job AND #sk BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#pk': table.partitionKey, '#sk': table.sortKey },
    ExpressionAttributeValues: attributesOf({ ':job': jobPartition(jobId), ':first': first, ':last': last }),
    ConsistentRead: true,
    ScanIndexForward: order !== 'newest-first',
  };
  for await (const item of queryPages(db, range, limit)) yield runOf(item);
}

/** Soonest first over all shards. */
async function open(
  db: Database,
  { from = 0, until, limit }: { from?: number | undefined; until: number; limit: number },
): Promise<OpenRef[]> {
  const shards = Array.from({ length: table.openIndex.shards }, (_, shard) => shard);
  const items = await Promise.all(shards.map((shard) => openOfShard(db, shard, { from, until, limit })));
  return items
    .flat()
    .map((item) => ({ ...runRefOf(item), attentionAt: attentionOf(item) }))
    .sort((a, b) => a.attentionAt - b.attentionAt)
    .slice(0, limit);
}

function openOfShard(
  db: Database,
  shard: number,
  { from, until, limit }: { from: number; until: number; limit: number },
): Promise<Item[]> {
  const { name, partitionKey, sortKey } = table.openIndex;
  const due = {
    IndexName: name,
    KeyConditionExpression: '#shard = :shard AND #attentionAt BETWEEN :from AND :until',
    ExpressionAttributeNames: { '#shard': partitionKey, '#attentionAt': sortKey },
    ExpressionAttributeValues: attributesOf({ ':shard': shard, ':from': from, ':until': until }),
  };
  return queryAll(db, due, limit);
}

function attentionOf(item: Item): number {
  return Number(item[table.openIndex.sortKey]?.N);
}
