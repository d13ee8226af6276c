import type { Ledger } from '../../../functions/domain/ledger.ts';
import type { Run } from '../../../functions/domain/run.ts';
import type { StepRecord, StepWrite } from '../../../functions/domain/steps.ts';
import type { Context, Fire } from '../../../functions/job.ts';
import type { Handled } from '../../../functions/runtime/runtime.ts';
import { type MemoryLedger, memoryLedger } from '../../../functions/store/memory.ts';
import { jobId, key, ledgerWith, ref, type World, type WorldOptions, world } from '../world.ts';

type Code = (fire: Fire, ctx: Context) => unknown;

/** What the ledger was asked about steps. */
export interface Asked {
  readonly writes: StepWrite[];
  reads: number;
}

export interface StepWorld extends World {
  readonly asked: Asked;
  readonly tables: MemoryLedger['tables'];
  /** What is on record, by name. */
  steps(): Promise<Record<string, StepRecord>>;
  /** The attempt that now runs has died, or so the reconciler believes: the run is offered anew, and its next attempt begins. */
  beginNext(change?: Partial<Run>): Promise<{ handled: Promise<Handled> }>;
  /** The same, to its end. */
  nextAttempt(change?: Partial<Run>): Promise<Handled>;
}

export interface StepOptions extends Omit<WorldOptions, 'code' | 'ledger'> {
  /** The verbs of the ledger that don't do as usual. */
  readonly verbs?: (memory: MemoryLedger) => Partial<Ledger>;
}

/** A job with steps, whose attempts may die. `code`: of the first attempt, the second, …; the last one's is that of all after it. */
export async function stepWorld(
  code: Code | readonly [Code, ...Code[]],
  options: StepOptions = {},
): Promise<StepWorld> {
  const codes = typeof code === 'function' ? [code] : code;
  const memory = memoryLedger();
  const asked: Asked = { writes: [], reads: 0 };
  const verbs = options.verbs?.(memory) ?? {};
  const { writeStep = memory.writeStep.bind(memory) } = verbs;
  const ledger = ledgerWith(memory, {
    ...verbs,
    steps: async (of) => {
      asked.reads += 1;
      return memory.steps(of);
    },
    writeStep: (of, fence, write) => {
      asked.writes.push(write);
      return writeStep(of, fence, write);
    },
  });
  let attempts = 0;
  const w = await world({
    ...options,
    ledger,
    code: (fire, ctx) => {
      attempts += 1;
      return codes[Math.min(attempts, codes.length) - 1]?.(fire, ctx);
    },
  });
  const steps = async () => {
    const records = await memory.steps(ref);
    return Object.fromEntries(records.map((record) => [record.name, record]));
  };
  const beginNext = async (change: Partial<Run> = {}) => {
    const { state, token, crashes, attempts: before } = await w.run();
    const offer = `offer-${before.length + 1}`;
    const set = { crashes: crashes + 1, ...change, state: 'offered', token: offer } as const;
    await memory.move(ref, { state, token }, { set });
    const of = { fireledger: 'offer', jobId, run: key, token: offer, attempt: before.length + 1 };
    return { handled: w.send(of) };
  };
  const nextAttempt = async (change: Partial<Run> = {}) => {
    const { handled } = await beginNext(change);
    return w.time.until(handled);
  };
  return { ...w, asked, tables: memory.tables, steps, beginNext, nextAttempt };
}

/** Delivers the fire to code that never ends, and lets it come as far as it can. */
export async function begun(w: StepWorld): Promise<{ handled: Promise<Handled> }> {
  const handled = w.deliver();
  handled.catch(() => undefined);
  await w.time.pass(0);
  return { handled };
}

/** Never over: the attempt dies over it. */
export function dies(): Promise<never> {
  return new Promise(() => undefined);
}

/** The ledger's answers to writes of steps get lost, those of these places (from 0). */
export function losingAnswers(...places: readonly number[]) {
  let count = 0;
  return (memory: MemoryLedger): Partial<Ledger> => ({
    writeStep: async (...args) => {
      const answer = await memory.writeStep(...args);
      if (places.includes(count++)) throw new Error('the answer was lost');
      return answer;
    },
  });
}
