import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { minute } from '../../../functions/domain/time.ts';
import { FakeDatabase, type Report } from '../fake-database.ts';
import type { RunJson } from '../ledger.ts';
import {
  everyMinute,
  fl,
  flJson,
  inScenario,
  isReady,
  type Scenario,
  type System,
  type Told,
} from '../system.ts';

const patience = { timeout: 3 * minute };

/** Either fits into what the database can do at once. Both together don't. */
const inventory: Report = { requests: 8, readsEach: 1_500 };
const sales: Report = { requests: 8, readsEach: 100 };
const ids = ['inventory', 'sales'] as const;

/** The same two reports on two databases: of one the capacity is declared, of the other it is not. */
const undeclared = 'orders-db';
const declared = 'reports-db';

describe.concurrent('two reports that are due at the same minute, on a database that can do only one at a time', () => {
  test(
    'both fail unless its capacity is a pool; then the second waits, and `fl why` names who did it',
    patience,
    () =>
      inDatabases(async (databases) =>
        inScenario(async (scenario) => {
          const started = await startReports(scenario, databases);
          await Promise.all([
            openWhenTogether(databases.undeclared),
            openWhenKnown(databases.declared, started.system),
          ]);
          await expectBothFailed(started);
          await expectOneWaited(started);
        }),
      ),
  );
});

interface Databases {
  readonly undeclared: FakeDatabase;
  readonly declared: FakeDatabase;
}

async function inDatabases(play: (databases: Databases) => Promise<void>): Promise<void> {
  const databases = { undeclared: new FakeDatabase(), declared: new FakeDatabase() };
  const all = Object.values(databases);
  try {
    await Promise.all(all.map((database) => database.listen()));
    await play(databases);
  } finally {
    for (const database of all) database.close();
  }
}

interface Started {
  readonly data: string;
  readonly system: System;
}

async function startReports(scenario: Scenario, databases: Databases): Promise<Started> {
  const pools = `pools: { '${declared}': 1 },`;
  const jobs = scenario.jobs({
    [`${undeclared}/inventory.ts`]: everyMinute(databases.undeclared.report(undeclared, inventory)),
    [`${undeclared}/sales.ts`]: everyMinute(databases.undeclared.report(undeclared, sales)),
    [`${declared}/inventory.ts`]: everyMinute(databases.declared.report(declared, inventory), pools),
    [`${declared}/sales.ts`]: everyMinute(databases.declared.report(declared, sales), pools),
  });
  writeFileSync(scenario.path('pools.ts'), poolsText);
  const data = scenario.path('data');
  const system = scenario.start('--json', '--no-console', '--data', data, '--jobs', jobs);
  await system.until(isReady);
  return { data, system };
}

const poolsText = `
import { definePools } from '#job';

export default definePools({
  '${declared}': { capacity: 1, describe: 'IO of the reporting database' },
});
`;

/** Both are at it, and have been for as long as one of them was alone. */
async function openWhenTogether(database: FakeDatabase): Promise<void> {
  await database.clients(1);
  const since = Date.now();
  await database.clients(2);
  await new Promise((resolve) => setTimeout(resolve, Date.now() - since));
  database.open();
}

/** One is at it, and the other waits; or both are at it, which they should not be. */
async function openWhenKnown(database: FakeDatabase, system: System): Promise<void> {
  const oneWaits = Promise.all([database.clients(1), system.until(isWaiting)]);
  await Promise.race([oneWaits, database.clients(2)]);
  database.open();
}

/** The runs of both reports, the heavy one's first, when that has become of them. */
async function runsThat(outcome: string, { system, of }: { system: System; of: string }): Promise<string[]> {
  const events = ids.map((id) =>
    system.until((event) => event.jobId === `${of}/${id}` && outcomeOf(event) === outcome),
  );
  return (await Promise.all(events)).map(runOf);
}

async function expectBothFailed({ system, data }: Started): Promise<void> {
  const [heavy = '', light = ''] = await runsThat('failed', { system, of: undeclared });
  const [runs, { verdict }, told] = await Promise.all([
    recordsOf(data, [heavy, light]),
    flJson<WhyJson>('why', light, '--data', data),
    whyOf(light, data),
  ]);
  expect(runs).toMatchObject([failedWith(7_500), failedWith(500)]);
  expect(verdict).toMatchObject({
    kind: 'culprit',
    suspect: { id: heavy, name: undeclared, unit: 'reads', own: 500 },
  });
  // Of the 7,500 those that fall into the time of the other run, which was there for most of it.
  expect(verdict?.suspect.amount).toBeGreaterThan(2_000);
  expect(verdict?.suspect.amount).toBeLessThanOrEqual(7_500);
  const reads = `\\d+ % of the reads of ${undeclared} while this run was alive, \\d,\\d{3} of \\d,\\d{3}`;
  expect(told).toMatch(new RegExp(`Most likely ${heavy}: ${reads}; its own were 500\\.`));
}

function failedWith(reads: number) {
  return {
    ...{ state: 'failed', error: { message: `${undeclared} is overloaded: 3 of 8 requests refused` } },
    attempts: [{ bill: { metered: { [undeclared]: { reads } } } }],
  };
}

async function expectOneWaited({ system, data }: Started): Promise<void> {
  const all = await runsThat('succeeded', { system, of: declared });
  const second = runOf(await system.until(isWaiting));
  const first = all.find((id) => id !== second);
  const [runs, told] = await Promise.all([recordsOf(data, [second]), whyOf(second, data)]);
  expect(runs).toMatchObject([{ state: 'succeeded', waits: [{ reason: 'pool', pools: { [declared]: 1 } }] }]);
  expect(told).toMatch(
    new RegExp(`waited It waited .* for ${declared} \\(1\\).*, behind ${first}, which had`),
  );
}

async function recordsOf(data: string, runs: readonly string[]): Promise<(RunJson | undefined)[]> {
  const all = await flJson<RunJson[]>('runs', '--data', data);
  return runs.map((run) => all.find(({ id }) => id === run));
}

/** What is looked at of `fl why --json`. */
interface WhyJson {
  readonly verdict: { readonly kind: string; readonly suspect: { readonly amount: number } } | null;
}

/** What a person reads, in one line. */
async function whyOf(run: string, data: string): Promise<string> {
  const { out } = await fl('why', run, '--data', data);
  return out.replaceAll(/\s+/g, ' ');
}

function isWaiting(event: Told): boolean {
  return outcomeOf(event) === 'waiting';
}

function outcomeOf({ handled }: Told): string | undefined {
  return (handled as { outcome?: string } | undefined)?.outcome;
}

function runOf({ handled }: Told): string {
  return String((handled as { run?: string } | undefined)?.run);
}
