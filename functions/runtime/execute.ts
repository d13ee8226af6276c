import { setMaxListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { killMarginMs } from '../contract.ts';
import type { Outcome } from '../domain/finish.ts';
import type { RunError } from '../domain/run.ts';
import { second } from '../domain/time.ts';
import { type Interruption, ranPast } from './interruption.ts';
import { continuationOf, errorOf, failureOf, isContinuation, successOf } from './outcome.ts';
import type { Ports, Secrets } from './ports.ts';

/** How long a handler may take to settle after its abort. What is left of the margin is for the last write. */
export const abortGraceMs = killMarginMs / 2;

/** How an attempt's code ended. `ignored-abort`: it did not, and may still be writing; `of`: what it ends as. */
export type Ending =
  | Outcome
  | {
      readonly kind: 'ignored-abort';
      readonly of: 'timed-out' | 'canceled';
      readonly error: RunError;
    };

type Settled =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown };

const noTimeLeft: RunError = {
  name: 'TimeoutError',
  message: `not started: its invocation had less than ${killMarginMs / second} s left, which are kept for the last write`,
};

/**
 * Runs job code once, under a signal that aborts at the deadline, or when it is `interrupted`.
 * - It returned: succeeded, even when that was after the abort, since the work is done.
 * - It threw: failed; after the abort, timed out or canceled.
 * - An error escaped it (an unhandled rejection, a callback that threw): the signal aborts, and it failed with that error,
 *   even when it then returns, since part of its work was lost.
 * - It did not settle within `abortGraceMs` of the abort: `ignored-abort`.
 */
export async function execute(
  work: (signal: AbortSignal) => Promise<unknown>,
  { budgetMs, interrupted }: { budgetMs: number; interrupted: Promise<Interruption> },
  ports: Pick<Ports, 'after' | 'log' | 'secrets'>,
): Promise<Ending> {
  if (budgetMs <= 0) return { kind: 'timed-out', error: noTimeLeft };
  const abort = new AbortController();
  // Job code hands the one signal to as many calls at once as it likes; that is no leak.
  setMaxListeners(0, abort.signal);
  const deadline = pause(budgetMs, ports);
  try {
    const settled = settle(work(abort.signal), ports.secrets);
    const first = await Promise.race([settled, deadline.over.then(() => ranPast(budgetMs)), interrupted]);
    if (first.kind === 'returned' || first.kind === 'threw') return outcomeOf(first, null, ports);
    abort.abort(first.error);
    return await lastWords(settled, first, ports);
  } finally {
    deadline.stop();
  }
}

/** What the code still does once its signal has aborted. */
async function lastWords(
  settled: Promise<Settled>,
  interruption: Interruption,
  ports: Pick<Ports, 'after' | 'log' | 'secrets'>,
): Promise<Ending> {
  const grace = pause(abortGraceMs, ports);
  const last = await Promise.race([settled, grace.over]);
  grace.stop();
  if (last !== null) return outcomeOf(last, interruption, ports);
  return ignored({ kind: interruption.kind, error: ports.secrets.hidden(interruption.error) });
}

/** A rejection that nobody handles is reported only once the microtasks are through: one turn of the event loop later. */
async function settle(work: Promise<unknown>, { hidden }: Secrets): Promise<Settled> {
  const settled = await work.then(
    (value): Settled => ({ kind: 'returned', value: hidden(value) }),
    (error: unknown): Settled => ({ kind: 'threw', error: hidden(error) }),
  );
  await turn();
  return settled;
}

/** A pause that is stopped is never over: nobody waits for it any more. */
function pause(ms: number, { after }: Pick<Ports, 'after'>): { over: Promise<null>; stop: () => void } {
  let stop: () => void = () => undefined;
  const over = new Promise<null>((resolve) => {
    stop = after(ms, () => resolve(null));
  });
  return { over, stop };
}

function outcomeOf(
  settled: Settled,
  interruption: Interruption | null,
  ports: Pick<Ports, 'log' | 'secrets'>,
): Outcome {
  if (interruption?.kind === 'fault')
    return { kind: 'failed', error: errorOf(ports.secrets.hidden(interruption.error)) };
  if (settled.kind === 'returned') return returned(settled.value, interruption, ports);
  if (interruption === null) return failureOf(settled.error);
  const error = abortedBy(interruption.error, settled.error);
  switch (interruption.kind) {
    case 'deadline':
      return { kind: 'timed-out', error };
    case 'canceled':
      return { kind: 'canceled', error, request: interruption.request };
    case 'fenced':
      return { kind: 'failed', error };
  }
}

/** What asks to go on after it was asked to end doesn't. */
function returned(value: unknown, interruption: Interruption | null, ports: Pick<Ports, 'log'>): Outcome {
  if (!isContinuation(value)) return successOf(value, ports.log);
  if (interruption?.kind !== 'canceled') return continuationOf(value);
  return { kind: 'canceled', error: errorOf(interruption.error), request: interruption.request };
}

/** The stack is the author's: where the code was when its abort reached it. */
function abortedBy(reason: Error, thrown: unknown): RunError {
  const [cause, end] = [errorOf(reason), errorOf(thrown)];
  if (thrown === reason) return cause;
  const { name, message } = cause;
  return { ...end, name, message: `${message}; its abort ended in ${end.name}: ${end.message}` };
}

function ignored({ kind, error }: Pick<Interruption, 'kind' | 'error'>): Ending {
  const cause = errorOf(error);
  const message = `${cause.message}; the handler then ignored its abort for ${abortGraceMs / second} s`;
  const of = kind === 'canceled' ? 'canceled' : 'timed-out';
  return { kind: 'ignored-abort', of, error: { ...cause, message } };
}
