import { expect, test } from 'vitest';
import { chooseSeed, seededRandom } from '../../support/seeded-random.ts';
import { employees, payroll } from './payroll.ts';

test('a payroll whose process is killed, stopped and killed, and whose zombie goes on, pays each of 500 once', async () => {
  const seed = chooseSeed();
  process.stdout.write(`seed ${seed}\n`);
  const { run, zombies, payments } = await payroll(['kill', 'stop', 'kill'], seededRandom(seed));
  expect(run).toMatchObject({ state: 'succeeded', result: employees, crashes: 3 });
  expect(zombies).toEqual(['lost']);
  expect(payments).toHaveLength(employees);
  expect(payments.filter(({ times }) => times !== 1)).toEqual([]);
});
