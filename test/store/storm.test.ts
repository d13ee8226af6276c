import { afterAll, beforeAll, expect, it } from 'vitest';
import { after } from '../../functions/handlers/machine.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { dynamoLedger } from '../../functions/store/dynamodb/index.ts';
import { fireTime, jobId, world } from '../runtime/world.ts';
import { newLedgerTable } from '../support/ledger-engines.ts';
import { disturb, type Fault } from '../support/ledger-faults.ts';
import { all, stateOf } from '../support/ledger-records.ts';
import { chooseSeed, seededRandom } from '../support/seeded-random.ts';

const deliveries = 1_000;

let database: DynamoDb;
beforeAll(async () => {
  database = await startDynamoDb();
});
afterAll(() => database?.close());

/** The first fifty transactions lose their answer, the winner's among them; of the others, four in seven are struck. */
function faults(random: () => number): { next: (command: string) => Fault; struck: Record<Fault, number> } {
  const struck = { none: 0, collision: 0, 'lost-answer': 0 };
  const lots: readonly Fault[] = [
    'collision',
    'collision',
    'collision',
    'lost-answer',
    'none',
    'none',
    'none',
  ];
  const draw = () => (struck['lost-answer'] < 50 ? 'lost-answer' : lots[Math.floor(random() * lots.length)]);
  const next = (command: string): Fault => {
    const fault = (command === 'TransactWriteItemsCommand' && draw()) || 'none';
    struck[fault] += 1;
    return fault;
  };
  return { next, struck };
}

it('a storm of 1,000 deliveries of one fire, with conflicts and lost answers, makes one run', {
  timeout: 120_000,
}, async () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const { client, table } = await newLedgerTable(database.endpoint, { maxSockets: 250 });
  const ledger = dynamoLedger({ client, table, random });
  const storm = await world({ ledger, ports: () => ({ random, after }) });
  const { next, struck } = faults(random);
  disturb(client, 'request', next);

  const handled = await Promise.all(Array.from({ length: deliveries }, () => storm.deliver()));
  const count = (outcome: string) => handled.filter((one) => one.outcome === outcome).length;
  const [succeeded, duplicates, conflicts] = ['succeeded', 'duplicate', 'conflict'].map(count);
  console.log(`storm: SEED=${seed}`, { succeeded, duplicates, conflicts, struck });

  expect(storm.started).toHaveLength(1);
  expect(succeeded).toBe(1);
  expect((duplicates ?? 0) + (conflicts ?? 0)).toBe(deliveries - 1);
  const runs = await all(ledger.history(jobId, { from: 0, to: fireTime }));
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({ state: 'succeeded', duplicates, attempts: [{ outcome: 'succeeded' }] });
  expect(runs[0]?.attempts).toHaveLength(1);
  expect(await stateOf(ledger)).not.toHaveProperty('slot');

  expect(struck.collision).toBeGreaterThan(100);
  expect(struck['lost-answer']).toBeGreaterThan(100);
  client.destroy();
});
