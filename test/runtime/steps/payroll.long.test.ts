import { expect, test } from 'vitest';
import { chooseSeed, seededRandom } from '../../support/seeded-random.ts';
import { employees, payroll } from './payroll.ts';

const strikes = 10;

test.each([1, 2, 3])('a payroll that is struck ten times pays each of 500 once (round %i)', async (round) => {
  const seed = chooseSeed() + round;
  process.stdout.write(`seed ${seed}\n`);
  const random = seededRandom(seed);
  const drawn = Array.from({ length: strikes }, () => (random() < 0.7 ? 'kill' : 'stop'));
  const { run, zombies, payments } = await payroll(drawn, random);
  expect(run).toMatchObject({ state: 'succeeded', result: employees, crashes: strikes });
  expect(zombies.every((outcome) => outcome === 'lost')).toBe(true);
  expect(payments).toHaveLength(employees);
  expect(payments.filter(({ times }) => times !== 1)).toEqual([]);
});
