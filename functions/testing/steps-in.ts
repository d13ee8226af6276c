import type { StepVerbs } from '../runtime/steps/index.ts';
import type { Execution } from './execution.ts';

type Act = (...args: unknown[]) => Promise<unknown>;

/** Steps take virtual time; the work in them is job code like any other. */
export function stepsIn(execution: Execution, { step, once, map, commit }: StepVerbs): StepVerbs {
  const timed = <Verb>(verb: Verb): Verb => {
    const act = verb as Act;
    const inTime: Act = (...args) => execution.waitFor(() => act(...args.map(working)));
    return inTime as Verb;
  };
  const working = (arg: unknown) =>
    typeof arg === 'function' ? execution.within((...args: unknown[]) => arg(...args)) : arg;
  return { step: timed(step), once: timed(once), map: timed(map), commit: timed(commit) };
}
