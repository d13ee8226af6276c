import { expect, test } from 'vitest';
import { readOptions } from '../../functions/local/options.ts';

test('--chaos without a seed draws one, anew each time', () => {
  const { chaosSeed } = readOptions(['--chaos']);
  expect(chaosSeed).toEqual(expect.any(Number));
  expect(readOptions(['--chaos']).chaosSeed).not.toBe(chaosSeed);
});

test('--chaos takes a seed that was told, and is no chaos unless it is said', () => {
  expect(readOptions(['--chaos', '0'])).toMatchObject({ chaosSeed: 0 });
  expect(readOptions(['--chaos=7', '--ephemeral'])).toMatchObject({ chaosSeed: 7, ephemeral: true });
  expect(readOptions([])).not.toHaveProperty('chaosSeed');
});
