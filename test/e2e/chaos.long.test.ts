import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { minute, second } from '../../functions/domain/time.ts';
import { dynoxideBinary } from '../../functions/local/dynamodb/dynoxide.ts';
import { chooseSeed, seededRandom } from '../support/seeded-random.ts';
import { aliveAtOnce, type Body, bodiesOf, tellingJob } from './chaos/effects.ts';
import { wreakHavoc } from './chaos/havoc.ts';
import { endClean, eventually, type RunJson, runsOf } from './ledger.ts';
import { flJson, inScenario, isReady, type Scenario, type System } from './system.ts';

/** How long each body takes, in seconds, and what its job wants. */
const jobs = {
  'all-rerun': [3, "missed: 'all', crashed: 'rerun',"],
  'all-park': [8, "missed: 'all', crashed: 'park',"],
  'latest-rerun': [20, "missed: 'latest', crashed: 'rerun',"],
  'latest-park-allow': [30, "missed: 'latest', crashed: 'park', overlap: 'allow',"],
  'skip-rerun-allow': [40, "missed: 'skip', crashed: 'rerun', overlap: 'allow',"],
  quick: [0, "missed: 'all', crashed: 'rerun',"],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;
const ids = Object.keys(jobs);
const kills = { process: 12, emulator: 2, 'npm start': 1, start: 2 };

/** Three leases of 2 to 3 minutes, each found by the minute's sweep, and what waits meanwhile. */
const settledWithinMs = 12 * minute;
/** The emulator is a process of its own, and its number is found, on Linux. */
const canKill = process.platform === 'linux' && dynoxideBinary() !== undefined;

describe.runIf(canKill)('a system of which everything dies at random moments', () => {
  test('has every fire on record, none twice, and its jobs’ effects say the same', () =>
    inScenario(async (scenario) => {
      const seed = chooseSeed();
      console.log(`seed ${seed}`);
      const { data, effects, system } = await disturbed(scenario, seed);
      const havocEndedAt = Date.now();
      system.kill('SIGKILL');
      await system.ended;

      const calm = startOn(scenario, data);
      await calm.until(isReady);
      const runs = await eventually(() => allRuns(data), isSettledUpTo(havocEndedAt), settledWithinMs);
      await expectHealthy(data, scenario.path('jobs'));
      const newest = runs.find((run) => Date.parse(run.fireTime) <= havocEndedAt);
      const audit = await endClean(calm, data, { fireTime: newest?.fireTime ?? '' });
      console.log(JSON.stringify({ seed, expected: audit.expected, states: audit.states }));
      expectAgreement(bodiesOf(effects), await allRuns(data));
    }));
});

async function disturbed(
  scenario: Scenario,
  seed: number,
): Promise<{ data: string; effects: string; system: System }> {
  const data = scenario.path('data');
  const effects = scenario.path('effects.jsonl');
  writeFileSync(effects, '');
  const files = Object.entries(jobs).map(([id, [seconds, options]]) => [
    `${id}.ts`,
    tellingJob(effects, seconds, options),
  ]);
  scenario.jobs(Object.fromEntries(files));
  const systems: System[] = [];
  const begunAt = Date.now();
  const system = await wreakHavoc({
    forMs: 3 * minute,
    kills,
    random: seededRandom(seed),
    effects,
    start: () => {
      const started = startOn(scenario, data, '--chaos', String(seed + systems.length));
      systems.push(started);
      return started;
    },
    log: (text) => console.log(`${((Date.now() - begunAt) / second).toFixed(1).padStart(6)} s  ${text}`),
  });
  const strikes = systems.flatMap(({ told }) => told.filter(({ kind }) => kind === 'chaos'));
  expect(strikes.length).toBeGreaterThan(10);
  return { data, effects, system };
}

function startOn(scenario: Scenario, data: string, ...more: readonly string[]): System {
  return scenario.start('--json', '--no-console', '--data', data, '--jobs', scenario.path('jobs'), ...more);
}

async function allRuns(data: string): Promise<RunJson[]> {
  return (await Promise.all(ids.map((id) => runsOf(data, id)))).flat();
}

/** What was due by then is over, or needs a person. */
function isSettledUpTo(instant: number): (runs: readonly RunJson[]) => boolean {
  return (runs) =>
    runs
      .filter(({ fireTime }) => Date.parse(fireTime) <= instant)
      .every(({ state }) => !['offered', 'waiting', 'running'].includes(state));
}

/** No slot is held by a run that is over, no lease was forgotten, no fire of the last hour is missing. */
async function expectHealthy(data: string, jobsDir: string): Promise<void> {
  const { checks } = await flJson<{ checks: { verdict: string }[] }>(
    'doctor',
    '--data',
    data,
    '--jobs',
    jobsDir,
  );
  expect(checks.length).toBeGreaterThan(10);
  expect(checks.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
}

/** What bodies did, by the file that they wrote themselves, against what the ledger tells of them. */
function expectAgreement(bodies: readonly Body[], runs: readonly RunJson[]): void {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const attemptOf = ({ run, attempt }: Body) =>
    byId.get(run)?.attempts.find(({ number }) => number === attempt);
  const jobOf = ({ run }: Body) => run.split('#')[0] ?? '';

  expect(bodies.length).toBeGreaterThan(ids.length);
  expect(aliveAtOnce(bodies, ({ run }) => run)).toEqual([]);
  const oneAtATime = bodies.filter((body) => !jobOf(body).endsWith('-allow'));
  expect(aliveAtOnce(oneAtATime, jobOf)).toEqual([]);

  expect(bodies.filter((body) => attemptOf(body)?.pid !== body.pid)).toEqual([]);
  const ends = bodies.filter(({ isDone }) => isDone);
  expect(ends.filter((body) => !['succeeded', 'crashed'].includes(attemptOf(body)?.outcome ?? ''))).toEqual(
    [],
  );
  const done = new Set(ends.map(({ run, attempt }) => `${run} ${attempt}`));
  const successes = runs.flatMap(({ id, attempts }) =>
    attempts.filter(({ outcome }) => outcome === 'succeeded').map(({ number }) => `${id} ${number}`),
  );
  expect(successes.filter((success) => !done.has(success))).toEqual([]);

  const parking = runs.filter(({ id }) => id.includes('-park'));
  expect(parking.filter(({ attempts }) => attempts.length > 1)).toEqual([]);
}
