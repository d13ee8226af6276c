import { StepError } from '../../domain/step-errors.ts';
import type { MapOptions } from '../../job.ts';
import { tryAgain } from './again.ts';
import { Batches, recordedResults } from './batches.ts';
import type { KeptResult } from './result.ts';
import type { StepScope } from './scope.ts';

export interface MapOf<Item, T> {
  readonly name: string;
  readonly items: readonly Item[];
  readonly options: MapOptions<Item>;
  readonly work: (item: Item, index: number) => T | Promise<T>;
}

interface Keyed<Item> {
  readonly item: Item;
  readonly index: number;
  readonly key: string;
}

/** Does the work of each item that is not on record, several at once, and gives all results in the items' order. */
export async function map<Item, T>(
  { name, items, options, work }: MapOf<Item, T>,
  { signal, scope }: { signal: AbortSignal; scope: StepScope },
): Promise<T[]> {
  const call = scope.begin(name, 'map', signal);
  try {
    const { concurrency, batch } = limitsOf(call, options);
    const keyed = keyedItems(call, items, options);
    const earlier = await scope.memo.batches(name);
    const results = recordedResults(earlier.values());
    const batches = new Batches(name, batch, { scope, earlier });
    const one = async ({ item, index, key }: Keyed<Item>) => {
      const what = `${call}, the item ${JSON.stringify(key)}`;
      const kept = scope.kept(
        await tryAgain(what, () => work(item, index), { options, signal, scope }),
        what,
      );
      results.set(key, kept.value);
      return kept;
    };
    const left = keyed.filter(({ key }) => !results.has(key));
    await workThrough(left, { one, batches, concurrency, signal, scope });
    return keyed.map(({ key }) => results.get(key) as T);
  } catch (error) {
    scope.names.giveBack(name);
    throw error;
  }
}

interface Working<Item> {
  readonly one: (item: Keyed<Item>) => Promise<KeptResult>;
  readonly batches: Batches;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly scope: StepScope;
}

/** The first failure, or the abort, has no further item begin; those that are done by then are recorded all the same. */
async function workThrough<Item>(
  left: readonly Keyed<Item>[],
  { one, batches, concurrency, signal, scope }: Working<Item>,
): Promise<void> {
  const queue = left.values();
  const worker = async () => {
    for (const item of queue) {
      if (!(await batches.begin())) return;
      if (signal.aborted) return batches.fail(signal.reason);
      await one(item)
        .then((kept) => batches.end(item.key, kept))
        .catch((error) => batches.fail(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, left.length) }, worker));
  await batches.record().catch((error: unknown) => batches.fail(error));
  const [first, ...others] = batches.failures;
  for (const error of others) scope.ports.log.warn('one more item of the map failed', { error });
  if (batches.failures.length > 0) throw first;
}

const most = 1_000;

function limitsOf<Item>(call: string, { concurrency = 10, batch = 100 }: MapOptions<Item>) {
  for (const [option, value] of Object.entries({ concurrency, batch }))
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new StepError(`${call}: ${option} is ${value}; allowed is a whole number from 1 to ${most}`);
  return { concurrency, batch };
}

const longestKey = 200;

function keyedItems<Item>(
  call: string,
  items: readonly Item[],
  { key: keyOf }: MapOptions<Item>,
): Keyed<Item>[] {
  const places = new Map<string, number>();
  return items.map((item, index) => {
    const key: unknown = keyOf(item, index);
    const at = `${call}: the key of items[${index}]`;
    if (typeof key !== 'string' || key === '' || key.length > longestKey)
      throw new StepError(
        `${at} is ${JSON.stringify(key)}; allowed is a text of 1 to ${longestKey} characters`,
      );
    const before = places.get(key);
    if (before !== undefined)
      throw new StepError(`${at} is ${JSON.stringify(key)}, which is that of items[${before}] as well`);
    places.set(key, index);
    return { item, index, key };
  });
}
