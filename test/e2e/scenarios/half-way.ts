import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../functions/domain/time.ts';
import { endClean, eventually, type RunJson, runsOf, show } from '../ledger.ts';
import { fl, inScenario, type Scenario, startJob } from '../system.ts';

describe.concurrent('a job that goes wrong half-way', () => {
  test('twice fails, is tried again after a second or two each time, and succeeds: one run', () =>
    inScenario(async (scenario) => {
      const failsTwice = "if (fire.attempt < 3) throw new Error('no answer'); return fire.attempt;";
      const { system, data } = await startJob(
        scenario,
        failsTwice,
        "retry: { attempts: 3, backoff: '1 second' },",
      );
      const run = await firstSucceeded(data, 3 * minute);
      expect(run).toMatchObject({ result: 3, failures: 2, reoffers: 0, crashes: 0 });
      expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'succeeded']);
      const [first, , last] = run.attempts.map(({ startedAt }) => Date.parse(startedAt));
      expect((last ?? 0) - (first ?? 0)).toBeLessThan(30 * second);
      await endClean(system, data, run);
    }));

  test('of three attempts that go on from each other, killed in each, is one run with the right result', () =>
    inScenario(async (scenario) => {
      const options = "timeout: '20 seconds', crashed: 'resume',";
      const { system, data } = await startJob(scenario, goesOn(scenario), options);
      const { id } = await killedInHop(data, 0);
      for (const hop of [1, 2]) await killedInHop(data, hop, id);
      const run = await eventually(
        () => show(data, id),
        ({ state }) => state === 'succeeded',
        settledWithinMs,
      );
      expect(run).toMatchObject({ result: [0, 1, 2], hops: 2, crashes: 3 });
      expect(run.attempts.map(({ outcome }) => outcome)).toEqual([
        ...['crashed', 'continued', 'crashed', 'continued', 'crashed', 'succeeded'],
      ]);
      expect((await fl('show', id, '--data', data)).out).toMatch(/hops +2/);
      const meanwhile = (await runsOf(data, 'job')).filter(({ fireTime }) => isDuring(fireTime, run));
      expect(meanwhile.length).toBeGreaterThan(3);
      for (const other of meanwhile) expect(other).toMatchObject({ state: 'skipped', reason: 'overlap' });
      await endClean(system, data, run);
    }));
});

/** Its timeout, half a minute, a minute for clocks that differ, and two sweeps. */
const settledWithinMs = 20 * second + 30 * second + 3 * minute;

/** Does a page in each attempt, slowly the first time. Fires after the first are quick. */
function goesOn(scenario: Scenario): string {
  const dir = JSON.stringify(scenario.path(''));
  return `
    const { existsSync, readFileSync, writeFileSync } = await import('node:fs');
    const mark = (name) => ${dir} + '/' + name;
    if (!existsSync(mark('first'))) writeFileSync(mark('first'), fire.id);
    if (readFileSync(mark('first'), 'utf8') !== fire.id) return;
    const pages = ctx.cursor ?? [];
    if (!existsSync(mark('page-' + pages.length))) {
      writeFileSync(mark('page-' + pages.length), '');
      await pause(15_000, undefined, { signal: ctx.signal });
    }
    const done = [...pages, pages.length];
    return done.length < 3 ? ctx.continueWith(done) : done;`;
}

/** Kills the attempt that is running after so many hops, and waits until its lease has ended. */
async function killedInHop(data: string, hop: number, id?: string): Promise<RunJson> {
  const look = () => (id === undefined ? runsOf(data, 'job').then(([run]) => run) : show(data, id));
  const running = await eventually(look, (run) => isRunningFirst(run, hop), settledWithinMs);
  if (running === undefined) throw new Error('it has no run');
  process.kill(running.attempts.at(-1)?.pid ?? 0, 'SIGKILL');
  const { length } = running.attempts;
  return eventually(
    () => show(data, running.id),
    ({ attempts }) => attempts[length - 1]?.outcome === 'crashed',
    settledWithinMs,
  );
}

function isRunningFirst(run: RunJson | undefined, hop: number): boolean {
  return run?.state === 'running' && (run.hops ?? 0) === hop && run.crashes === hop;
}

function isDuring(fireTime: string, { fireTime: due, settledAt = '' }: RunJson): boolean {
  return fireTime > due && fireTime < settledAt;
}

async function firstSucceeded(data: string, withinMs: number): Promise<RunJson> {
  const oldest = async () => (await runsOf(data, 'job')).at(-1);
  const run = await eventually(oldest, (first) => first?.state === 'succeeded', withinMs);
  if (run === undefined) throw new Error('it has no run');
  return run;
}
