import { describe, test } from 'vitest';
import { pairs, singles, zombies } from './enumerate.ts';
import { keepsPromises, scenes } from './keeps-promises.ts';

describe('a death, a lost answer and a straggler, at whichever point, break no promise of', () => {
  test.each(scenes)('%s', (_, scene) => keepsPromises(scene, [singles]));
});

describe('a process that freezes at whichever point, and goes on when its run was taken over, breaks no promise of', () => {
  test.each(scenes.filter(([, { policy }]) => policy !== 'park'))('%s', (_, scene) =>
    keepsPromises(scene, [zombies]),
  );
});

describe('two deaths, at whichever points, break no promise of', () => {
  const small = ['steps and a final commit', 'a cancel during a step'];
  test.each(scenes.filter(([, { job }]) => small.includes(job)))('%s', (_, scene) =>
    keepsPromises(scene, [pairs]),
  );
});
