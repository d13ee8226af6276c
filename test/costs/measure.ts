import { startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { measureFires, type OnDynamoDb } from './fires.ts';
import { measureMinute, type Standing, standing } from './standing.ts';
import type { Usage } from './usage.ts';

export interface Measured {
  /** By the kind of fire, in the order of the table. */
  readonly fires: ReadonlyMap<string, Usage>;
  /** Minutes in which nothing is due, by how many jobs there are. */
  readonly minutes: ReadonlyMap<number, Usage>;
  readonly standing: Standing;
}

const stagesOf = [1, 200, 1_000];

/** All that README's costs are made of: the same each time, as long as the code is. */
export async function measure(): Promise<Measured> {
  // It counts what is written to an index, too.
  const onDynamoDb = onEmpty('dynoxide');
  const minutes = new Map<number, Usage>();
  for (const jobs of stagesOf)
    minutes.set(jobs, await onDynamoDb((endpoint) => measureMinute(endpoint, jobs)));
  return { fires: await measureFires(onDynamoDb), minutes, standing: await standing() };
}

/** Does something with an empty one. */
export function onEmpty(engine: 'dynoxide' | 'dynalite'): OnDynamoDb {
  return async (work) => {
    const { endpoint, close } = await startDynamoDb({ engine });
    try {
      return await work(endpoint);
    } finally {
      await close();
    }
  };
}
