import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Simulated } from '../simulate.ts';
import { type Case, replayCommand, type Simulate } from './case.ts';

/** What a worker answers to a case. */
export type Answer = { readonly simulated: Simulated } | { readonly error: string };

/** Simulates many cases, several at a time. */
export interface Workers {
  /** How many work at a time. */
  readonly count: number;
  /** The results in the order of the cases, whoever was first. @throws SimulatorError */
  readonly all: (
    cases: readonly Case[],
    done?: (simulated: Simulated, one: Case) => void,
  ) => Promise<Simulated[]>;
  readonly close: () => void;
}

/** The simulator itself failed: that says nothing about what it simulates. */
export class SimulatorError extends Error {
  override readonly name = 'SimulatorError';
}

/** One place where a case is simulated, one at a time. */
export interface Place {
  readonly simulate: Simulate;
  readonly close: () => void;
}

/** `count` processes that simulate by the module at `url`. */
export function startWorkers(url: string, count: number): Workers {
  return workersAt(Array.from({ length: count }, () => processPlace(url)));
}

export function workersAt(places: readonly Place[]): Workers {
  return {
    count: places.length,
    all: async (cases, done = () => {}) => {
      const results = new Map<Case, Simulated>();
      const queue = cases.values();
      const work = async ({ simulate }: Place) => {
        // All places take from the one queue.
        for (const one of queue) {
          const simulated = await simulate(one);
          results.set(one, simulated);
          done(simulated, one);
        }
      };
      await Promise.all(places.map(work));
      return cases.flatMap((one) => results.get(one) ?? []);
    },
    close: () => {
      for (const { close } of places) close();
    },
  };
}

function processPlace(url: string): Place {
  let child: ChildProcess | undefined;
  // The loader of TypeScript doesn't reach threads, hence processes.
  const start = () =>
    fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [url], {
      execArgv: ['--import', 'tsx'],
      // Sets arrive as sets.
      serialization: 'advanced',
    });
  return {
    simulate: async (one) => {
      child ??= start();
      const answer = await ask(child, one);
      if ('simulated' in answer) return answer.simulated;
      throw new SimulatorError(
        `The simulator failed at seed ${one.seed}: ${answer.error}\nAgain: ${replayCommand(one)}`,
      );
    },
    close: () => void child?.kill(),
  };
}

async function ask(child: ChildProcess, one: Case): Promise<Answer> {
  const over = new AbortController();
  const { signal } = over;
  const died = once(child, 'exit', { signal }).then(([code, by]) => ({
    error: `its process ended (${by ?? code})`,
  }));
  died.catch(() => {});
  const answered = once(child, 'message', { signal }).then(([answer]) => answer as Answer);
  answered.catch(() => {});
  child.send(one);
  try {
    return await Promise.race([answered, died]);
  } finally {
    over.abort();
  }
}
