import { expect, test } from 'vitest';
import { randomText } from './fuzz.ts';
import { mostStepsPerCharacter } from './fuzz-steps.ts';
import { Random } from './random.ts';

function* randomTexts(count: number): Iterable<string> {
  const random = new Random('steps');
  for (let made = 0; made < count; made += 1) yield randomText(random);
}

test('a million texts cost steps by their length', async () => {
  expect(await mostStepsPerCharacter(randomTexts(1_000_000), 1_000)).toBeLessThan(40);
});
