import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { onTestFinished } from 'vitest';
import { offerPayload } from '../../../functions/contract.ts';
import type { Ledger } from '../../../functions/domain/ledger.ts';
import { startDynamoDb } from '../../../functions/local/dynamodb/start.ts';
import { dynamoLedger } from '../../../functions/store/dynamodb/index.ts';
import { manifestJob } from '../../support/jobs.ts';
import { newLedgerTable } from '../../support/ledger-engines.ts';
import { offered, ref } from '../world.ts';
import type { PayrollNews, PayrollOrder } from './payroll-process.ts';

export const employees = 500;
/** An attempt is struck after at most so many payments, so that all of them together leave some to pay. */
const mostPaidBefore = 40;

/** What became of the run, of the attempts that were struck, and of everybody's payment. */
export interface Payroll {
  readonly run: Awaited<ReturnType<Ledger['run']>>;
  /** What the attempts that were only stopped came to, once they went on. */
  readonly zombies: readonly string[];
  readonly payments: readonly Record<string, unknown>[];
}

/**
 * Has everybody paid by attempts in processes of their own. Each strike hits one in the midst of it, and its run is taken over
 * as the end of its lease would have it: `kill` ends it, `stop` has it go on while the next one is at work.
 */
export async function payroll(strikes: readonly ('kill' | 'stop')[], random: () => number): Promise<Payroll> {
  const { order, ledger, payments } = await open();
  let event: unknown = await offered({ ledger, entry: manifestJob() });
  const stopped: { process: ChildProcess; outcome: Promise<string> }[] = [];
  for (const strike of strikes) {
    const attempt = start({ ...order, event });
    stopped.at(-1)?.process.kill('SIGCONT');
    await attempt.paid(1 + Math.floor(random() * mostPaidBefore));
    attempt.process.kill(strike === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    if (strike === 'stop') stopped.push(attempt);
    event = await takeOver(ledger);
  }
  const last = start({ ...order, event });
  stopped.at(-1)?.process.kill('SIGCONT');
  await last.outcome;
  const zombies = await Promise.all(stopped.map(({ outcome }) => outcome));
  return { run: await ledger.run(ref), zombies, payments: await payments() };
}

async function open() {
  const { endpoint, close } = await startDynamoDb();
  onTestFinished(close);
  const [place, authors] = [await newLedgerTable(endpoint), await newLedgerTable(endpoint)];
  onTestFinished(() => {
    for (const { client } of [place, authors]) client.destroy();
  });
  const ledger = dynamoLedger(place);
  const { id, spec, specId } = manifestJob();
  await ledger.publish({ jobId: id, from: 0, spec, specId }, null);
  const payments = async () => {
    const { Items = [] } = await authors.client.send(new ScanCommand({ TableName: authors.table }));
    return Items.map((item) => unmarshall(item));
  };
  return { ledger, payments, order: { endpoint, ledger: place.table, payments: authors.table, employees } };
}

function start(order: PayrollOrder) {
  const file = path.join(import.meta.dirname, 'payroll-process.ts');
  const process = fork(file, [JSON.stringify(order)], { execArgv: ['--import', 'tsx'] });
  onTestFinished(() => {
    process.kill('SIGKILL');
  });
  let count = 0;
  const outcome = new Promise<string>((resolve) => {
    process.on('message', (news: PayrollNews) => {
      if ('outcome' in news) resolve(news.outcome);
      else count += 1;
    });
    process.on('exit', () => resolve('died'));
  });
  const paid = async (least: number) => {
    while (count < least) await once(process, 'message');
  };
  return { process, outcome, paid };
}

/** As the reconciler does once the lease of a running attempt is over. */
async function takeOver(ledger: Ledger): Promise<unknown> {
  const run = await ledger.run(ref);
  if (run?.state !== 'running') throw new Error(`the strike came too late: the run is ${run?.state}`);
  const token = `offer-${run.attempts.length + 1}`;
  const set = { state: 'offered', token, crashes: run.crashes + 1 } as const;
  const answer = await ledger.move(run, { state: 'running', token: run.token }, { set });
  if (answer.kind !== 'done') throw new Error(`the takeover is ${answer.kind}`);
  return offerPayload({ ...run, token });
}
