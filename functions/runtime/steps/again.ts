import { pauseBeforeRetry } from '../../domain/retry.ts';
import { parseDuration } from '../../domain/schedule/index.ts';
import { StepError } from '../../domain/step-errors.ts';
import { minute } from '../../domain/time.ts';
import type { StepOptions } from '../../job.ts';
import { failureOf } from '../outcome.ts';
import type { StepScope } from './scope.ts';

const mostRetries = 20;
const longestPauseMs = minute;

/**
 * Runs a step's code, once more after a pause each time it fails. What it throws to say about its whole run (`Retry`,
 * `Fatal`) goes straight through, and so does a failure after which the attempt has no time left for the pause.
 */
export async function tryAgain<T>(
  what: string,
  work: () => T | Promise<T>,
  { options, signal, scope }: { options: StepOptions; signal: AbortSignal; scope: StepScope },
): Promise<T> {
  const policy = policyOf(what, options);
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = pauseAfter(error, failures, policy, scope);
      if (pauseMs === null || signal.aborted) throw error;
      scope.ports.log.warn(`${what} failed, trying again`, { failures: failures + 1, pauseMs, error });
      await pause(pauseMs, signal, scope);
    }
  }
}

type Policy = ReturnType<typeof policyOf>;

function pauseAfter(
  error: unknown,
  failures: number,
  policy: Policy,
  { ports, deadline }: StepScope,
): number | null {
  if (failureOf(error).again !== undefined) return null;
  const pauseMs = pauseBeforeRetry({ failures }, { policy, again: undefined, random: ports.random() });
  return pauseMs === null || ports.clock() + pauseMs >= deadline ? null : pauseMs;
}

function policyOf(what: string, { retries = 0, backoff = '1 second' }: StepOptions) {
  if (!Number.isInteger(retries) || retries < 0 || retries > mostRetries)
    throw new StepError(`${what}: retries is ${retries}; allowed is a whole number from 0 to ${mostRetries}`);
  return { attempts: retries + 1, backoffMs: parseDuration(backoff, 'backoff'), capMs: longestPauseMs };
}

/** @throws the signal's reason once it aborts */
function pause(ms: number, signal: AbortSignal, { ports }: StepScope): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      callOff();
      reject(signal.reason);
    };
    const callOff = ports.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
