import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { minute, second, toIso } from '../../../functions/domain/time.ts';
import { type AuditJson, endClean, eventually, expectClean, type RunJson, runsOf, show } from '../ledger.ts';
import { everyMinute, fl, flJson, inScenario, isReady, type Scenario, type System } from '../system.ts';

const graceMs = 3 * minute;
const job = 'uptime/check-endpoints';

describe.concurrent('a system that is started again', () => {
  test('treats the fires of a five minutes’ outage as its jobs say, and accounts for every one', () =>
    inScenario(async (scenario) => {
      const data = scenario.path('data');
      const before = await session(scenario, data, minute + 15 * second);
      await pause(5 * minute);
      const after = await session(scenario, data, graceMs + 2 * minute + 15 * second);
      const offFrom = Date.parse(before.to);
      const missed = (await runsOf(data, job)).filter(
        (run) =>
          Date.parse(run.fireTime) > offFrom &&
          Date.parse(run.fireTime) <= after.startedAt &&
          !wasDelivered(run, after.startedAt),
      );
      expect(missed.length).toBeGreaterThanOrEqual(5);
      expectLatestPolicy(missed);
      const { out } = await fl('runs', '--data', data, '--job', job);
      expect(out).toContain('missed: nothing started it within its grace; then made up');
      expect(out).toContain('superseded: a newer missed fire stands for it');
      expectClean(await flJson<AuditJson>('audit', '--data', data));
    }));

  test('after kill -9 goes on where it was: the run is settled when its lease ends, and no fire is lost', () =>
    inScenario(async (scenario) => {
      const { system, data, run } = await startMidRun(scenario);
      system.kill('SIGKILL');
      expect((await system.ended).code).toBeNull();
      await goesOn(scenario, data, run);
    }));

  test('after its emulator was killed has lost nothing: it had said so and ended', () =>
    inScenario(async (scenario) => {
      const { system, data, run } = await startMidRun(scenario);
      const { emulator } = JSON.parse(readFileSync(`${data}/dynamodb.db.pid`, 'utf8'));
      process.kill(emulator.pid, 'SIGKILL');
      const { code, err } = await system.ended;
      expect(code).toBe(2);
      expect(err).toBe(
        'The DynamoDB emulator ended unasked (SIGKILL). Nothing more can be recorded, so all has stopped. ' +
          'Start it again: what was due meanwhile is treated as missed, and what was running is settled when its lease ends.\n',
      );
      await goesOn(scenario, data, run);
    }));
});

/** The system with its own jobs for a time, ended by itself with a clean audit. */
async function session(
  scenario: Scenario,
  data: string,
  forMs: number,
): Promise<AuditJson & { startedAt: number }> {
  const system = scenario.start(
    ...['--json', '--no-console', '--data', data, '--for', `${Math.ceil(forMs / second)}s`],
  );
  const { at } = await system.until(isReady);
  const { code, err } = await system.ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const audit = system.told.at(-1) as unknown as AuditJson;
  expectClean(audit);
  return { ...audit, startedAt: Date.parse(String(at)) };
}

/** Under `latest` the newest fire of the outage is made up, once, and stands for all others. */
function expectLatestPolicy(missed: readonly RunJson[]): void {
  const inOrder = [...missed].sort((a, b) => Date.parse(a.fireTime) - Date.parse(b.fireTime));
  const others = inOrder.slice(0, -1);
  const newest = inOrder.at(-1);
  expect(newest).toMatchObject({ state: 'succeeded', trigger: 'backfill' });
  for (const run of others) expect(run).toMatchObject({ state: 'skipped', reason: 'superseded' });
  expect(newest?.covers).toEqual(others.map((run) => toIso(Date.parse(run.fireTime))));
}

/** What becomes due while the system starts, its schedules in force, has its delivery once the alarms ring. */
function wasDelivered({ fireTime, state, trigger }: RunJson, startedAt: number): boolean {
  return startedAt - Date.parse(fireTime) < 10 * second && state === 'succeeded' && trigger === 'schedule';
}

async function startMidRun(scenario: Scenario): Promise<{ system: System; data: string; run: RunJson }> {
  const data = scenario.path('data');
  const slow = everyMinute(
    'await pause(15_000, undefined, { signal: ctx.signal });',
    "timeout: '20 seconds', missed: 'all',",
  );
  const jobs = scenario.jobs({ 'slow.ts': slow });
  const system = scenario.start('--json', '--no-console', '--data', data, '--jobs', jobs);
  await system.until(isReady);
  const [run] = await eventually(
    () => runsOf(data, 'slow'),
    ([newest]) => newest?.state === 'running',
    2 * minute,
  );
  if (run === undefined) throw new Error('it has no run');
  return { system, data, run };
}

/** Started again, the interrupted run is run a second time when nobody can be alive, and the audit is clean. */
async function goesOn(scenario: Scenario, data: string, { id, fireTime }: RunJson): Promise<void> {
  const jobs = scenario.path('jobs');
  const system = scenario.start('--json', '--no-console', '--data', data, '--jobs', jobs);
  await system.until(isReady);
  const again = await eventually(
    () => show(data, id),
    ({ state }) => state === 'succeeded',
    6 * minute,
  );
  expect(again.attempts.map(({ outcome }) => outcome)).toEqual(['crashed', 'succeeded']);
  await endClean(system, data, { fireTime });
}
