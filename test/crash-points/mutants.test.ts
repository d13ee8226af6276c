import { expect, test } from 'vitest';
import { enumerate } from './enumerate.ts';
import { mutants } from './mutants.ts';

test.each(Object.entries(mutants))('a strike somewhere shows %s', async (_, { scene, by, mutate }) => {
  const circumstance = async () => ({ mutate });
  const { broken, worlds } = await enumerate(scene, [by], { circumstance, enough: 1 });
  const [first] = broken;
  console.log(`shown by the ${worlds}th world, which ${first?.plan}: ${first?.what.join(', ')}`);
  expect(broken).toHaveLength(1);
});
