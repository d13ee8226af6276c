import { describe, test } from 'vitest';
import { pairs, zombies, zombiesAmidst } from './enumerate.ts';
import { keepsPromises, scenes } from './keeps-promises.ts';

describe('two deaths, at whichever points, break no promise of', () => {
  test.each(scenes)('%s', (_, scene) => keepsPromises(scene, [pairs]));
});

describe('a process that freezes at whichever point, and goes on at whichever of those that took over, breaks no promise of', () => {
  test.each(scenes)('%s', (_, scene) => keepsPromises(scene, [zombies, zombiesAmidst]));
});
