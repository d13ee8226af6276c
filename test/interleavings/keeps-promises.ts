import fc from 'fast-check';
import { expect } from 'vitest';
import type { Script } from './acts.ts';
import { type Circumstances, play } from './play.ts';

/** Whatever is drawn, and in whatever order its steps are picked, a world breaks no promise. `met`: gets what happened. */
export function keepsPromises(
  world: fc.Arbitrary<Script>,
  circumstances: () => Promise<Circumstances> = async () => ({}),
  met = new Set<string>(),
): fc.IAsyncProperty<[Script, fc.Scheduler]> {
  return fc.asyncProperty(world, fc.scheduler(), async (script, scheduler) => {
    const played = await play(script, scheduler, await circumstances());
    for (const what of played.met) met.add(what);
    expect(played.broken, played.trace.join('\n')).toEqual([]);
  });
}
