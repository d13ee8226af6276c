import type { Outcome } from '../domain/finish.ts';
import type { Log } from '../domain/ports.ts';
import type { RunError } from '../domain/run.ts';

/** A run's record keeps a result up to this size; of a larger one only the size. */
export const largestResultBytes = 8 * 1024;
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
    `the result was dropped: ${bytes} bytes of JSON, at most ${largestResultBytes} are kept; store it elsewhere and return where`,
  );
  return { kind: 'succeeded', resultDropped: bytes };
}

function jsonOf(value: unknown): string | Error {
  try {
    return JSON.stringify(value) ?? new Error(`a ${typeof value} has no JSON`);
  } catch (error) {
    return new Error(errorOf(error).message);
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
