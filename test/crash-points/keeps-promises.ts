import { expect } from 'vitest';
import { type Circumstance, type Enumeration, enumerate } from './enumerate.ts';
import { type JobName, jobs } from './jobs.ts';
import type { Scene } from './play.ts';
import type { Policy } from './world.ts';

const policies: readonly Policy[] = ['resume', 'rerun', 'park'];

/** Every job under every policy, by its name. */
export const scenes: readonly (readonly [name: string, scene: Scene])[] = (
  Object.keys(jobs) as JobName[]
).flatMap((job) => policies.map((policy) => [`${job}, ${policy}`, { job, policy }] as const));

/** Wherever these strikes come, nothing is broken. Prints how many worlds that were. */
export async function keepsPromises(
  scene: Scene,
  enumerations: readonly Enumeration[],
  circumstance?: Circumstance,
): Promise<void> {
  const { points, worlds, broken } = await enumerate(scene, enumerations, circumstance && { circumstance });
  console.log(
    `${scene.job}, ${scene.policy}: ${worlds} worlds, struck at ${points} points by ${enumerations.map(({ name }) => name).join(' and ')}`,
  );
  expect(broken).toEqual([]);
  expect(worlds).toBeGreaterThan(points);
}
