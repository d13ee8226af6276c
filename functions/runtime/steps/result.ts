import { StepError } from '../../domain/step-errors.ts';
import { largestStepBytes } from '../../domain/steps.ts';
import { jsonOf } from '../outcome.ts';

/** A step's result as each later attempt will find it, and the bytes of its JSON. */
export interface KeptResult<T = unknown> {
  readonly value: T;
  readonly bytes: number;
}

/**
 * What JSON makes of a result. This attempt gets it as well, so that a job meets the same values whether a step ran or was
 * known. `what`: whose result it is, such as `ctx.step("pay")`.
 *
 * @throws StepError for what JSON can't say or would lose, and for more than 300 KB
 */
export function keptResult<T>(result: T, what: string): KeptResult<T> {
  if (result === undefined) return { value: result, bytes: 0 };
  const text = jsonOf(result, refuseLoss);
  if (text instanceof Error)
    throw new StepError(
      `${what}: its result can not be kept: ${text.message}. Return plain JSON values, or nothing`,
      { cause: text.cause },
    );
  const bytes = Buffer.byteLength(text);
  if (bytes > largestStepBytes)
    throw new StepError(
      `${what}: its result has ${bytes} bytes of JSON; at most ${largestStepBytes} are kept. Store it elsewhere and return where`,
    );
  return { value: JSON.parse(text), bytes };
}

/** What JSON would leave out, or make null, without a word. */
function refuseLoss(key: string, value: unknown): unknown {
  const lost = lossOf(value);
  if (lost !== null) throw new TypeError(`it has ${lost}${key === '' ? '' : ` at ${JSON.stringify(key)}`}`);
  return value;
}

function lossOf(value: unknown): string | null {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
    return `a ${typeof value}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `the number ${value}`;
  if (value instanceof Map || value instanceof Set) return `a ${value.constructor.name}`;
  return null;
}
