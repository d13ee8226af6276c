import { expect, test } from 'vitest';
import { randomText } from './fuzz.ts';
import { mostStepsPerCharacter } from './fuzz-steps.ts';
import { Random } from './random.ts';

const longest = ['1,', '*/1,', '0-59,', 'MON-FRI,', '5#2,', '?', '1-31/1,', 'L,', '15W,'].map((item) =>
  item.repeat(512).slice(0, 500),
);

test('the steps that a text costs are bounded by its length', async () => {
  const random = new Random('steps');
  const texts = [
    ...longest,
    ...longest.map((list) => `${list} * * * *`),
    ...longest.map((list) => `* * ${list} * 1`),
    ...longest.map((list) => `cron(0 ${list} * * ? *)`),
    ...Array.from({ length: 300 }, () => randomText(random)),
  ];
  const most = await mostStepsPerCharacter(texts, 1);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(40);
});
