import type { Outcome } from '../domain/finish.ts';
import type { Log } from '../domain/ports.ts';
import type { Again } from '../domain/retry.ts';
import type { RunError } from '../domain/run.ts';
import type { Continuation } from '../job.ts';

/** A run's record keeps a result up to this size; of a larger one how its JSON begins. */
const largestResultBytes = 64 * 1024;
const largestMessageBytes = 2 * 1024;
const largestStackBytes = 8 * 1024;

/**
 * The success of a handler that returned `value`. The record keeps it as JSON gives it back. What JSON can't say is dropped
 * with a warning that names why: the work is done, so the run stays succeeded.
 */
export function successOf(value: unknown, log: Log): Outcome {
  if (value === undefined) return { kind: 'succeeded' };
  const text = jsonOf(value);
  if (text instanceof Error) {
    log.warn(`the result was dropped: ${text.message}; return plain JSON values`);
    return { kind: 'succeeded' };
  }
  const bytes = Buffer.byteLength(text);
  if (bytes <= largestResultBytes) return { kind: 'succeeded', result: JSON.parse(text) };
  log.warn(
    `the result was trimmed: ${bytes} bytes of JSON, at most ${largestResultBytes} are kept; store it elsewhere and return where`,
  );
  return { kind: 'succeeded', resultTrimmed: { bytes, text: cut(text, largestResultBytes) } };
}

/** The outcome of a handler that wants to go on in another attempt. */
export function continuationOf({ cursor }: Continuation): Outcome {
  if (cursor === undefined) return { kind: 'continued' };
  const text = jsonOf(cursor);
  const problem = text instanceof Error ? text.message : cursorProblem(text);
  return typeof text === 'string' && problem === null
    ? { kind: 'continued', cursor: JSON.parse(text) }
    : { kind: 'failed', error: { name: 'RangeError', message: `ctx.continueWith: ${problem}` } };
}

function cursorProblem(text: string): string | null {
  const bytes = Buffer.byteLength(text);
  return bytes <= largestResultBytes
    ? null
    : `its cursor has ${bytes} bytes of JSON, at most ${largestResultBytes} are allowed; store it elsewhere and pass where`;
}

export function isContinuation(value: unknown): value is Continuation {
  return isMarked(value) && value.fireledger === 'continue';
}

function isMarked(value: unknown): value is { readonly fireledger: unknown } {
  return typeof value === 'object' && value !== null && 'fireledger' in value;
}

/** The outcome of a handler that threw. What it threw may say whether to try again; marks tell, since a bundle may hold our classes twice. */
export function failureOf(thrown: unknown): Extract<Outcome, { kind: 'failed' }> {
  const again = isMarked(thrown) ? againOf(thrown) : undefined;
  return { kind: 'failed', error: errorOf(thrown), ...(again && { again }) };
}

function againOf(thrown: { readonly fireledger: unknown; readonly afterMs?: unknown }): Again | undefined {
  if (thrown.fireledger === 'fatal') return 'never';
  const { afterMs } = thrown;
  return thrown.fireledger === 'retry' && typeof afterMs === 'number' ? { afterMs } : undefined;
}

/** An error says why there is none. `replacer`: as `JSON.stringify` takes it. */
export function jsonOf(value: unknown, replacer?: (key: string, value: unknown) => unknown): string | Error {
  try {
    return JSON.stringify(value, replacer) ?? new Error(`a ${typeof value} has no JSON`);
  } catch (cause) {
    return new Error(errorOf(cause).message, { cause });
  }
}

/** What is kept of a thrown value. Recognised by its shape, since it may come from another copy of a package. */
export function errorOf(thrown: unknown): RunError {
  if (!isErrorLike(thrown))
    return { name: 'NotAnError', message: cut(described(thrown), largestMessageBytes) };
  const { name, message, stack } = thrown;
  return {
    name: cut(name, largestMessageBytes),
    message: cut(message, largestMessageBytes),
    ...(typeof stack === 'string' && { stack: cut(stack, largestStackBytes) }),
  };
}

function isErrorLike(thrown: unknown): thrown is { name: string; message: string; stack?: unknown } {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'name' in thrown &&
    typeof thrown.name === 'string' &&
    'message' in thrown &&
    typeof thrown.message === 'string'
  );
}

function described(thrown: unknown): string {
  const text = typeof thrown === 'string' ? thrown : jsonOf(thrown);
  return `the job threw ${text instanceof Error ? typeof thrown : text}; throw an Error to keep its name and stack`;
}

/** A text may end in half a character: authors cut messages, too. No store takes that. */
function cut(thrown: string, bytes: number): string {
  const text = thrown.toWellFormed();
  const encoded = new TextEncoder().encode(text);
  if (encoded.length <= bytes) return text;
  const mark = '…';
  // Streaming leaves out a character that was cut in half.
  const head = new TextDecoder().decode(encoded.subarray(0, bytes - Buffer.byteLength(mark)), {
    stream: true,
  });
  return head + mark;
}
