import { decideFinish } from '../../functions/domain/finish.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { minute } from '../../functions/domain/time.ts';
import { processMeter } from '../../functions/handlers/process-meter.ts';
import { startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { openBill } from '../../functions/runtime/bill.ts';
import { createLedgerTable, dynamoLedger, ledgerClient } from '../../functions/store/dynamodb/index.ts';
import { claim, fireTime, publishFirst } from '../support/ledger-records.ts';
import { type BenchRow, median, row } from './row.ts';

const warmUps = 100;
const attempts = 500;
const budgetUs = 1_000;
const usOfMs = 1_000;

/**
 * What a bill costs each attempt, from its opening to its close, against what it may cost and against the write that it
 * goes with, in turns, on an embedded DynamoDB.
 */
export async function benchBill(): Promise<BenchRow[]> {
  const database = await startDynamoDb();
  const client = ledgerClient({ endpoint: database.endpoint });
  try {
    await createLedgerTable(client, 'ledger');
    const ledger = dynamoLedger({ client, table: 'ledger' });
    await publishFirst(ledger);
    const { bills, finishes } = await measure(ledger);
    const ours = median(bills);
    const of = { name: 'bill', metric: 'median µs per attempt', ours };
    return [
      row({ ...of, peer: budgetUs, peerName: 'its budget', target: 1 }),
      row({ ...of, peer: median(finishes), peerName: 'the finish that writes it', target: 0.25 }),
    ];
  } finally {
    client.destroy();
    await database.close();
  }
}

/** In microseconds. */
async function measure(ledger: Ledger): Promise<{ bills: number[]; finishes: number[] }> {
  const meter = processMeter(() => ({ readUnits: 0, writeUnits: 0 }));
  const bills: number[] = [];
  const finishes: number[] = [];
  for (let n = 0; n < warmUps + attempts; n += 1) {
    const { run, effect: start } = claim(`token-${n}`, {}, fireTime + n * minute);
    await ledger.create(run, start);
    const opened = performance.now();
    const open = openBill(meter);
    open.meter('reports-db', { reads: n });
    const bill = open.close();
    const closed = performance.now();
    const { change, effect } = decideFinish(run, { outcome: { kind: 'succeeded' }, attempt: 1, now: n });
    const fence = { state: 'running', token: run.token } as const;
    await ledger.move(run, fence, { ...change, measured: { number: 1, bill } }, { effect });
    if (n < warmUps) continue;
    bills.push((closed - opened) * usOfMs);
    finishes.push((performance.now() - closed) * usOfMs);
  }
  return { bills, finishes };
}
