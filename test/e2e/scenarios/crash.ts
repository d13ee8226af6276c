import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../functions/domain/time.ts';
import { endClean, eventually, type RunJson, runsOf, show } from '../ledger.ts';
import { fl, inScenario, type Scenario, startJob } from '../system.ts';

const timeoutMs = 20 * second;
/** A process may live half a minute longer than its job's timeout, and a minute covers clocks that differ. */
const leaseMs = timeoutMs + 30 * second + minute;
/** A sweep comes each minute. */
const settledWithinMs = leaseMs + 2 * minute;

describe.concurrent('a job whose process does not come back', () => {
  test('is suspected at once, crashed when its lease ends, and run again', () =>
    inScenario(async (scenario) => {
      const { system, data } = await startJob(scenario, takesItsTime, options);
      const killed = await killFirst(data);
      await untilCrashed(data, killed.id);
      const again = await eventually(() => show(data, killed.id), isSucceeded, 2 * minute);
      expect(again.attempts.map(({ outcome }) => outcome)).toEqual(['crashed', 'succeeded']);
      await expectSlotFree(data, killed);
      await endClean(system, data, killed);
    }));

  test('is parked where a person must decide, gives its slot back, and is run again when released', () =>
    inScenario(async (scenario) => {
      const parking = `${options} crashed: 'park',`;
      const { system, data } = await startJob(scenario, takesItsTime, parking);
      const killed = await killFirst(data);
      const parked = await untilCrashed(data, killed.id);
      expect(parked).toMatchObject({ state: 'parked', reason: 'crashed' });
      await expectSlotFree(data, killed);
      const words = ['release', killed.id, '--rerun', '--note', 'nothing was sent', '--data', data];
      expect(await fl(...words)).toMatchObject({ code: 0, err: '' });
      const again = await eventually(() => show(data, killed.id), isSucceeded, 4 * minute);
      expect(again.attempts.map(({ outcome }) => outcome)).toEqual(['crashed', 'succeeded']);
      await endClean(system, data, killed);
    }));

  test('because it ignored its abort is ended, and keeps its slot until its lease ends', () =>
    inScenario(async (scenario) => {
      const { system, data } = await startJob(scenario, deafOnce(scenario), options);
      const { id } = await firstRunning(data);
      const marked = await eventually(
        () => show(data, id),
        ({ timedOutAt }) => timedOutAt !== undefined,
        2 * minute,
      );
      expect(marked.state).toBe('running');
      const pid = marked.attempts[0]?.pid ?? 0;
      await eventually(
        async () => isAlive(pid),
        (alive) => !alive,
        10 * second,
      );
      const settled = await eventually(
        () => show(data, id),
        ({ state }) => state !== 'running',
        settledWithinMs,
      );
      expect(settled).toMatchObject({ state: 'failed', reason: 'timed-out' });
      expectSettledAfterLease(settled);
      await expectSlotFree(data, settled);
      await endClean(system, data, settled);
    }));
});

const options = "timeout: '20 seconds',";
const takesItsTime = 'await pause(15_000, undefined, { signal: ctx.signal });';

/** Its first attempt sees no abort; the later ones are quick. */
function deafOnce(scenario: Scenario): string {
  const marker = JSON.stringify(scenario.path('was-deaf'));
  return `
    const { existsSync, writeFileSync } = await import('node:fs');
    if (existsSync(${marker})) return;
    writeFileSync(${marker}, '');
    await pause(600_000);`;
}

async function firstRunning(data: string): Promise<RunJson> {
  const [run] = await eventually(
    () => runsOf(data, 'job'),
    ([newest]) => newest?.state === 'running',
    2 * minute,
  );
  if (run === undefined) throw new Error('it has no run');
  return run;
}

/** Kills the process of the job's first run, whose number `fl show` tells, and waits until that is suspected. */
async function killFirst(data: string): Promise<RunJson> {
  const { id, attempts } = await firstRunning(data);
  process.kill(attempts[0]?.pid ?? 0, 'SIGKILL');
  const killedAt = Date.now();
  const suspected = await eventually(
    () => show(data, id),
    (run) => run.suspected !== undefined,
    20 * second,
  );
  expect(suspected.state).toBe('running');
  expect(Date.parse(suspected.suspected?.at ?? '') - killedAt).toBeLessThan(10 * second);
  expect((await fl('show', id, '--data', data)).out).toContain('suspected dead: ');
  return suspected;
}

/** The lease is over, a sweep has looked, and the attempt is settled; not before. */
async function untilCrashed(data: string, id: string): Promise<RunJson> {
  const settled = await eventually(
    () => show(data, id),
    ({ attempts }) => attempts[0]?.outcome !== undefined,
    settledWithinMs,
  );
  expect(settled.attempts[0]?.outcome).toBe('crashed');
  expectSettledAfterLease(settled);
  return settled;
}

function expectSettledAfterLease({ attempts: [first] }: RunJson): void {
  const [startedAt = 0, leaseUntil = 0, settledAt = 0] = [
    first?.startedAt,
    first?.leaseUntil,
    first?.settledAt,
  ].map((text) => Date.parse(text ?? ''));
  expect(leaseUntil - startedAt).toBeGreaterThan(leaseMs - 5 * second);
  expect(leaseUntil - startedAt).toBeLessThanOrEqual(leaseMs + second);
  expect(settledAt).toBeGreaterThanOrEqual(leaseUntil);
}

/** The fires that found the slot taken were skipped, and the first one after it was free has run. */
async function expectSlotFree(data: string, of: RunJson): Promise<void> {
  const lastMinute = Date.now() - minute;
  const runs = await eventually(
    () => runsOf(data, 'job'),
    (newest) => newest.some((run) => Date.parse(run.fireTime) > lastMinute && isSucceeded(run)),
    3 * minute,
  );
  const during = runs.filter(({ fireTime }) => fireTime > of.fireTime && Date.parse(fireTime) < lastMinute);
  expect(during.length).toBeGreaterThan(0);
  for (const run of during) expect(run).toMatchObject({ state: 'skipped', reason: 'overlap' });
}

function isSucceeded({ state }: Pick<RunJson, 'state'>): boolean {
  return state === 'succeeded';
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
