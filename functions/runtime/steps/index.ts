import { decideFinish, type LastWrite } from '../../domain/finish.ts';
import type { Run } from '../../domain/run.ts';
import type { AuthorWrite } from '../../domain/steps.ts';
import type { CommitOptions, CommitWrite, Context, MapOptions, OnceOptions, StepOptions } from '../../job.ts';
import { abortGraceMs, type Ending } from '../execute.ts';
import { type Ended, lastChange } from '../finish.ts';
import { attemptNumber } from '../fire.ts';
import { successOf } from '../outcome.ts';
import type { Ports } from '../ports.ts';
import { commit } from './commit.ts';
import { map } from './map.ts';
import { once } from './once.ts';
import { StepScope } from './scope.ts';
import { step } from './step.ts';

/** What an attempt has used up to now, for the last write of its run. */
type Used = () => Pick<Ended, 'covers' | 'bill' | 'progress'>;

/** The steps of an attempt whose time is over at `deadline`. What is done when its signal aborts may still be recorded. */
export function openSteps(
  run: Run,
  { deadline, ports, used }: { deadline: number; ports: Ports; used: Used },
): StepScope {
  const lastWrite = (result: unknown): LastWrite => {
    const outcome = successOf(result, ports.log);
    const last = decideFinish(run, { outcome, attempt: attemptNumber(run), now: ports.clock() });
    return { ...last, change: lastChange(last.change, { run, ...used() }) };
  };
  return new StepScope(run, { ports, deadline, recordUntil: deadline + abortGraceMs, lastWrite });
}

/** How an attempt's code ended, as its steps know it. */
export function endingOf(ending: Ending, { uncertain }: StepScope): Ending {
  if (ending.kind !== 'failed' || uncertain === undefined) return ending;
  return { kind: 'uncertain', step: uncertain, error: ending.error };
}

export type { StepScope } from './scope.ts';

export type StepVerbs = Pick<Context, 'step' | 'once' | 'map' | 'commit'>;

type Work<T> = () => T | Promise<T>;
/** Options, if there are any, come before the work. */
type Given<Options, T> = [work: Work<T>] | [options: Options, work: Work<T>];
type Mapped<Item, T> = [
  items: readonly Item[],
  options: MapOptions<Item>,
  work: (item: Item, index: number) => T | Promise<T>,
];

const unnamed = 'map';

/** The verbs of steps, as job code has them. */
export function stepVerbs(scope: StepScope, signal: AbortSignal): StepVerbs {
  const at = { signal, scope };
  return {
    step: <T>(name: string, ...given: Given<StepOptions, T>) => {
      const [options, work] = given.length === 1 ? [{}, given[0]] : given;
      return step(name, work, { options, ...at });
    },
    once: <T>(name: string, ...given: Given<OnceOptions<T>, T>) => {
      const [options, work] = given.length === 1 ? [{}, given[0]] : given;
      return once(name, work, { options, ...at });
    },
    map: <Item, T>(...given: Mapped<Item, T> | [name: string, ...Mapped<Item, T>]) => {
      const [name, items, options, work] = given.length === 4 ? given : ([unnamed, ...given] as const);
      return map({ name, items, options, work }, at);
    },
    commit: (name: string, writes: readonly CommitWrite[], options: CommitOptions = {}) =>
      commit(name, writes as readonly AuthorWrite[], { options, ...at }),
  };
}
