import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { runId } from '../../functions/domain/names.ts';
import { cron, every } from '../../functions/domain/schedule/index.ts';
import { minute } from '../../functions/domain/time.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { takeNotes } from '../../functions/reconciler/control.ts';
import { handleReconcile } from '../../functions/reconciler/handle.ts';
import { compileOnce } from '../../functions/reconciler/observe.ts';
import { dynamoLedger } from '../../functions/store/dynamodb/index.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { newLedgerTable } from '../support/ledger-engines.ts';
import { deliver, queue, succeed, World, wait } from '../support/reconciler.ts';
import { deployed, report } from './pool-world.ts';

let dynamo: DynamoDb;
beforeAll(async () => {
  dynamo = await startDynamoDb();
});
afterAll(() => dynamo.close());

const ledgers: [string, () => Promise<Ledger>][] = [
  ['in memory', async () => memoryLedger()],
  [
    'on DynamoDB',
    async () => {
      const { client, table } = await newLedgerTable(dynamo.endpoint);
      return dynamoLedger({ client, table });
    },
  ],
];

describe.each(ledgers)('a ledger %s', (_where, open) => {
  test('tells in each sweep how many runs are parked, until somebody has decided about them', async () => {
    const job = manifestJob({ schedule: cron('0 12 * * *'), crashed: 'park' });
    const world = new World(at('11:59'), [job], await open());
    expect(await world.sweep()).toMatchObject({ parkedNow: 0 });
    const run = await deliver(world, job, at('12:00'));
    expect(await world.sweepAt(at('12:30'))).toMatchObject({ parked: 1 });
    expect(await world.sweepAt(at('12:31'))).toMatchObject({ parked: 0, parkedNow: 1 });
    const parked = await world.ledger.run(run);
    if (parked === null) throw new Error(`${runId(run)} is gone`);
    const fence = { state: 'parked', token: parked.token } as const;
    await world.ledger.move(run, fence, { set: { state: 'failed' }, clear: ['attentionAt'] });
    expect(await world.sweepAt(at('12:32'))).toMatchObject({ parkedNow: 0 });
  });
});

describe('the oldest waiter', () => {
  const five = manifestJob({
    id: 'five',
    schedule: every('5 minutes'),
    overlap: 'queue',
    timeoutMs: 14 * minute,
  });

  test('is the run that waits longest for its slot, while its job is not paused', async () => {
    const world = new World(at('11:59'), [five]);
    expect(await world.sweep()).toMatchObject({ oldestWaitMs: 0 });
    const first = await deliver(world, five, at('12:00'));
    world.now = at('12:05');
    await queue(world, five, at('12:05'));
    expect(await world.sweepAt(at('12:09'))).toMatchObject({ oldestWaitMs: 4 * minute });
    await world.ledger.setPause('five', { at: world.now, by: 'ada', note: 'a look' });
    expect(await world.sweepAt(at('12:10'))).toMatchObject({ oldestWaitMs: 0 });
    await world.ledger.setPause('five', null);
    await succeed(world, first);
    await world.sweepAt(at('12:10:30'));
    expect(await world.sweepAt(at('12:10:40'))).toMatchObject({ oldestWaitMs: 0 });
  });

  test('may wait for pools', async () => {
    const [a, b] = [report('a'), report('b')];
    const world = await deployed({ 'reports-db': 1 }, [a, b]);
    await deliver(world, a, at('12:00'));
    await wait(world, b, at('12:00'));
    expect(await world.sweepAt(at('12:07'))).toMatchObject({ oldestWaitMs: 7 * minute });
  });

  test('is none of the missed fires that wait for their turn', async () => {
    const minutely = manifestJob({ schedule: every('1 minute') });
    const world = new World(at('08:00:30'), [minutely]);
    await world.sweep();
    await world.sweepAt(at('10:00:30'));
    await world.sweepAt(at('10:01:30'));
    expect((await world.lines()).filter((line) => line.includes('catch-up'))).not.toEqual([]);
    expect(world.reports.map(({ oldestWaitMs }) => oldestWaitMs)).toEqual([0, 0, 0]);
  });
});

describe('missed beyond policy', () => {
  const missed = (policy: 'all' | 'skip') =>
    manifestJob({
      schedule: every('1 minute'),
      missed: { policy, limit: 5, maxAgeMs: 60 * minute, ratePerMinute: 10 },
    });
  const outage = async (policy: 'all' | 'skip') => {
    const world = new World(at('08:00:30'), [missed(policy)]);
    await world.sweep();
    return world.sweepAt(at('10:00:30'));
  };

  test('counts what is too old or too many', async () => {
    const counts = await outage('all');
    expect(counts?.beyondPolicy).toBeGreaterThan(100);
    expect(counts?.beyondPolicy).toBe(counts?.missed);
  });

  test('does not count what its author wants missed', async () => {
    expect(await outage('skip')).toMatchObject({ beyondPolicy: 0, missed: expect.any(Number) });
  });
});

describe('an alarm that could not be delivered', () => {
  const letter = {
    messageId: '1',
    body: '{"fireledger":"alarm","jobId":"a","scheduledTime":"2026-12-01T12:00:07Z","attemptNumber":"1"}',
    messageAttributes: { ERROR_CODE: { stringValue: 'AccessDeniedException' } },
  };

  test('is counted though another sweep is at work, and by nothing that is no dead letter', async () => {
    const world = new World(at('11:59'), [manifestJob()]);
    await world.sweep();
    await world.ledger.acquire('another', world.now, world.now + 60 * minute);
    const nudge = { messageId: '2', body: '{"fireledger":"nudge","why":"a test"}' };
    const manifest = { version: 1, jobs: world.jobs } as const;
    const options = { compiled: compileOnce(), remainingMs: () => minute, ports: world.ports };
    const { sweep } = await handleReconcile({ Records: [letter, letter, nudge] }, manifest, options);
    expect(sweep).toBeNull();
    expect(world.undeliverable).toEqual([2]);
    expect(await takeNotes(world.ports, [{ id: '2', body: nudge.body, attributes: {} }])).toEqual({
      left: [],
      undeliverable: 0,
    });
  });
});
