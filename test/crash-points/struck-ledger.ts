import type { Ledger, RunChange } from '../../functions/domain/ledger.ts';
import type { StepWrite } from '../../functions/domain/steps.ts';
import { second } from '../../functions/domain/time.ts';
import type { EventLoop } from '../../functions/simulator/event-loop.ts';
import { pagedVerbs } from '../support/paged-verbs.ts';
import type { Process } from './process.ts';

/** On the way, each way. */
const latencyMs = 5;
/** A request that was given up may still be carried out, so much later. */
const straggleMs = 3 * second;

/** The ledger as one process has it: it may be struck before each request, and after each was carried out. */
export function struckLedger(ledger: Ledger, process: Process, loop: EventLoop): Ledger {
  return new Proxy(ledger, {
    get: (target, verb: keyof Ledger) => {
      const act = target[verb].bind(target) as (...args: readonly unknown[]) => unknown;
      if (pagedVerbs.has(verb)) return (...args: readonly unknown[]) => paged(verb, act, args);
      return (...args: readonly unknown[]) => call(told(verb, args), async () => act(...args));
    },
  });

  async function* paged(
    verb: keyof Ledger,
    act: (...args: readonly unknown[]) => unknown,
    args: readonly unknown[],
  ) {
    await call(verb, async () => undefined);
    yield* act(...args) as AsyncIterable<unknown>;
  }

  async function call(what: string, effect: () => Promise<unknown>): Promise<unknown> {
    if ((await process.point(what, 'request')) === 'straggles') {
      loop.after(straggleMs, () => void Promise.allSettled([effect()]));
      throw new Error(`${what}: no answer`);
    }
    await loop.pause(latencyMs);
    const answer = await effect();
    await loop.pause(latencyMs);
    if ((await process.point(answered(what), 'answer')) === 'loses-answer')
      throw new Error(`${what}: the answer was lost`);
    return answer;
  }
}

export function answered(what: string): string {
  return `${what}, answered`;
}

/** The write of a step's record, as points name it. */
export function writing(name: string, state: 'begun' | 'done'): string {
  return `writes the step ${name} (${state})`;
}

function told(verb: keyof Ledger, args: readonly unknown[]): string {
  const last = args[2];
  if (verb === 'move') return `moves to ${(last as RunChange).set.state}`;
  if (verb !== 'writeStep') return verb;
  const { step } = last as StepWrite;
  return writing(step.name, step.state === 'begun' ? 'begun' : 'done');
}
