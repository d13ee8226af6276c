import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { Case, Simulate } from '../../../functions/simulator/command/case.ts';
import { summaryOf } from '../../../functions/simulator/command/summary.ts';
import { startWorkers, type Workers, workersAt } from '../../../functions/simulator/command/workers.ts';
import { faultNames } from '../../../functions/simulator/faults.ts';
import { jobsFolder } from '../../support/jobs-folder.ts';
import { simulate } from './fake-simulate.ts';

const days = 2;
const cases: readonly Case[] = [1, 2, 3, 4, 5, 6].map((seed) => ({ seed, days, faults: faultNames }));
const fake = new URL('./fake-simulate.ts', import.meta.url).href;
const started: Workers[] = [];

afterEach(() => {
  for (const workers of started.splice(0)) workers.close();
});

function processes(count: number, url = fake): Workers {
  const workers = startWorkers(url, count);
  started.push(workers);
  return workers;
}

/** Answers its first case only once `others` is done. */
function slow(others: Promise<void>): Simulate {
  return async (one) => {
    await others;
    return simulate(one);
  };
}

describe('the results of many seeds', () => {
  test('are in the order of the seeds, whichever was done first', async () => {
    const done: number[] = [];
    let allOthers = () => {};
    const others = new Promise<void>((resolve) => {
      allOthers = resolve;
    });
    const workers = workersAt([
      { simulate: slow(others), close: () => {} },
      { simulate, close: () => {} },
    ]);
    const results = await workers.all(cases, ({ seed }) => {
      done.push(seed);
      if (done.length === cases.length - 1) allOthers();
    });
    expect(done).toEqual([2, 3, 4, 5, 6, 1]);
    expect(results.map(({ seed }) => seed)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('and their hash are the same in one process, in three, and in this one', async () => {
    const hashes: string[] = [];
    for (const workers of [processes(1), processes(3), workersAt([{ simulate, close: () => {} }])]) {
      const results = await workers.all(cases);
      hashes.push(summaryOf(results, { days, faults: faultNames }).hash);
    }
    expect(new Set(hashes).size).toBe(1);
  });
});

test('a plan with its sets reaches the process', async () => {
  const plan = { enabled: new Set(['lost-answer'] as const), mostStrikes: 1, without: new Set<number>() };
  const one = { seed: 3, days: 5, faults: faultNames, plan };
  const [simulated] = await processes(1).all([one]);
  expect(simulated).toEqual(await simulate(one));
  expect(simulated?.strikes['lost-answer']).toBe(1);
});

describe('a simulator that fails is told with its seed and how to see it again', () => {
  test.each([
    ['throws', `export const simulate = async () => { throw new Error('no such world'); };`, 'no such world'],
    ['dies', 'export const simulate = () => process.exit(3);', 'its process ended (3)'],
  ])('that %s', async (_, text, said) => {
    const module = pathToFileURL(`${jobsFolder({ 'broken.mjs': text })}/broken.mjs`);
    const one = { seed: 7, days: 3, faults: faultNames };
    const failed = processes(1, module.href).all([one]);
    await expect(failed).rejects.toThrow(said);
    await expect(failed).rejects.toThrow('npm run simulate -- --replay 7 --days 3');
  });
});
