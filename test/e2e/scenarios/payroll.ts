import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { minute } from '../../../functions/domain/time.ts';
import { ledgerClient } from '../../../functions/store/dynamodb/index.ts';
import { chooseSeed, seededRandom } from '../../support/seeded-random.ts';
import { endClean, type RunJson, show } from '../ledger.ts';
import { employeesOf, type StaffOptions, StaffService, salaryOf } from '../staff-service.ts';
import { everyMinute, fl, inScenario, isReady, type Scenario, type System, type Told } from '../system.ts';

/**
 * Up to a minute until it is due; up to three minutes of each attempt that dies, its lease and the next full minute's sweep;
 * the audit. The rest is for a takeover that a crowded machine has a sweep later. The jobs' own timeouts are such that a
 * crowded machine pays everybody within one.
 */
const patience = { timeout: 12 * minute };

const table = 'payments';
const offices = ['berlin', 'lima', 'oslo', 'taipei', 'toronto'];
/** The second crash is the last after which a run resumes that has not gone on by itself since. */
const killsOfEach = 2;

const account = `{
  TableName: '${table}',
  Key: { id: 'account ' + employee },
  UpdateExpression: 'ADD balance :salary',
  ExpressionAttributeValues: { ':salary': salary },
}`;
const payment = `{ TableName: '${table}', Item: { id: 'payment ' + employee + ' ' + fire.id, salary } }`;

const bySteps = `
    await ctx.map('pay', employees, { key: (employee) => employee }, async (employee) => {
      const salary = await salaryOf(employee);
      await ctx.commit('pay ' + employee, [{ Put: ${payment} }, { Update: ${account} }]);
    });
    return { paid: employees.length };`;

const withoutSteps = `
    const { TransactWriteCommand } = await import('@aws-sdk/lib-dynamodb');
    for (const employee of employees) {
      const salary = await salaryOf(employee);
      const TransactItems = [{ Put: ${payment} }, { Update: ${account} }];
      await ctx.dynamo.send(new TransactWriteCommand({ TransactItems }));
    }
    return { paid: employees.length };`;

describe.concurrent('a payroll of 500 employees', () => {
  test('in five offices, whose processes are killed ten times, pays everybody once', patience, () =>
    inScenario(async (scenario) => {
      const staff = Object.fromEntries(offices.map((office) => [office, employeesOf(office, 100)]));
      const options = "crashed: 'resume', timeout: '30 seconds',";
      const of = { scenario, staff, kills: killsOfEach, salaries: 100 };
      await inOffices({ ...of, job: [bySteps, options] }, async (started) => {
        const { system, data, service, payments } = started;
        const runs = await Promise.all(offices.map((office) => firstSuccess(started, office)));
        expect(service.strikes).toHaveLength(10);
        for (const run of runs) expectResumed(run, service);
        expectPaid(await payments(), Object.values(staff).flat());
        const [run] = runs;
        if (run !== undefined) await endClean(system, data, run);
      });
    }),
  );

  test(
    'that has no steps and is killed half-way is parked for a person, and nobody is paid twice',
    patience,
    () =>
      inScenario(async (scenario) => {
        const staff = { everywhere: employeesOf('everywhere', 500) };
        const options = "crashed: 'park', timeout: '1 minute',";
        const of = { scenario, staff, kills: 1, salaries: 500 };
        await inOffices({ ...of, job: [withoutSteps, options] }, async (started) => {
          const { system, data, service, payments } = started;
          await system.until(isLetter('everywhere'));
          const [strike] = service.strikes;
          const run = await show(data, strike?.run ?? '');
          expect(run).toMatchObject({
            state: 'parked',
            reason: 'crashed',
            attempts: [{ outcome: 'crashed' }],
          });
          await expectToldSo(run, data);
          const paid = staff.everywhere.slice(0, (strike?.asked ?? 0) - 1);
          expectPaid(await payments(), paid);
          await endClean(system, data, run);
        });
      }),
  );
});

interface Offices extends Omit<StaffOptions, 'random'> {
  readonly scenario: Scenario;
  /** The body of each office's job, after that it knows its employees, and its options. */
  readonly job: readonly [string, string];
}

interface Started {
  readonly system: System;
  readonly data: string;
  readonly service: StaffService;
  /** What is in the jobs' table. */
  readonly payments: () => Promise<Record<string, unknown>[]>;
}

async function inOffices(
  { scenario, job: [body, options], ...of }: Offices,
  play: (started: Started) => Promise<void>,
): Promise<void> {
  const seed = chooseSeed();
  console.log(`seed ${seed}`);
  const service = new StaffService({ ...of, random: seededRandom(seed) });
  await service.listen();
  const text = everyMinute(`${service.client('fire.attempt')}${body}`, `${options} missed: 'all',`);
  const jobs = scenario.jobs(Object.fromEntries(Object.keys(of.staff).map((id) => [`${id}.ts`, text])));
  const data = scenario.path('data');
  const system = scenario.start('--json', '--no-console', '--data', data, '--jobs', jobs);
  const { endpointUrl } = await system.until(isReady);
  const client = ledgerClient({ endpoint: String(endpointUrl) });
  try {
    await createTable(client);
    await play({ system, data, service, payments: () => itemsOf(client) });
  } finally {
    client.destroy();
    service.close();
  }
}

function createTable(client: DynamoDBClient): Promise<unknown> {
  const definition: CreateTableCommandInput = {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  };
  return client.send(new CreateTableCommand(definition));
}

async function itemsOf(client: DynamoDBClient): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table, ConsistentRead: true }))
    items.push(...Items.map((item) => unmarshall(item)));
  return items;
}

/** Its only run that has anybody to pay comes first: it has the slot of its job. */
async function firstSuccess({ system, data, service }: Started, office: string): Promise<RunJson> {
  await system.until(
    ({ jobId, handled }) => jobId === office && (handled as { outcome?: string })?.outcome === 'succeeded',
  );
  const strike = service.strikes.find(({ jobId }) => jobId === office);
  return show(data, strike?.run ?? '');
}

/** One run, with each attempt that was killed in it, and the one that came to its end. */
function expectResumed({ id, attempts, ...run }: RunJson, { strikes }: StaffService): void {
  const struck = strikes.filter((strike) => strike.run === id);
  expect(run).toMatchObject({ state: 'succeeded', crashes: killsOfEach, result: { paid: 100 } });
  expect(attempts.map(({ outcome }) => outcome)).toEqual([...struck.map(() => 'crashed'), 'succeeded']);
  expect(attempts.map(({ pid }) => pid).slice(0, -1)).toEqual(struck.map(({ pid }) => pid));
}

/** Whoever is paid has one payment, and it once on the account. */
function expectPaid(items: readonly Record<string, unknown>[], employees: readonly string[]): void {
  const balances = items.filter(({ balance }) => balance !== undefined);
  const expected = employees.map((employee) => ({
    id: `account ${employee}`,
    balance: salaryOf(employee),
  }));
  expect(balances.sort(byId)).toEqual(expected.sort(byId));
  expect(items).toHaveLength(2 * employees.length);
}

function byId(one: Record<string, unknown>, other: Record<string, unknown>): number {
  return String(one.id) < String(other.id) ? -1 : 1;
}

async function expectToldSo({ id }: RunJson, data: string): Promise<void> {
  const [shown, why] = await Promise.all([fl('show', id, '--data', data), fl('why', id, '--data', data)]);
  expect(shown).toMatchObject({ code: 2, err: '' });
  for (const { out } of [shown, why])
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'crashed: its process died half-way; a person must decide: fl release',
    );
}

function isLetter(beginning: string): (event: Told) => boolean {
  return ({ kind, subject }) => kind === 'letter' && String(subject).includes(beginning);
}
