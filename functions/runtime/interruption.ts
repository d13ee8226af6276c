import type { CancelRequest } from '../domain/run.ts';
import { FenceError } from '../domain/step-errors.ts';
import { second, toIso } from '../domain/time.ts';

/** Why an attempt's code must stop before it is done. `error`: the reason with which its signal aborts. */
export type Interruption =
  | { readonly kind: 'deadline'; readonly error: Error }
  | { readonly kind: 'fault'; readonly error: unknown }
  | { readonly kind: 'canceled'; readonly error: Error; readonly request: CancelRequest }
  /** Somebody else owns the run by now: what this attempt comes to will be refused. */
  | { readonly kind: 'fenced'; readonly error: Error };

export function ranPast(ms: number): Interruption {
  return { kind: 'deadline', error: named('TimeoutError', `ran past its timeout of ${ms / second} s`) };
}

/** Job code let an error escape. */
export async function escaped(fault: Promise<unknown>): Promise<Interruption> {
  return { kind: 'fault', error: await fault };
}

export function canceledBy(request: CancelRequest): Interruption {
  return { kind: 'canceled', error: named('CanceledError', requestText(request)), request };
}

export function fencedOff(error = new FenceError()): Interruption {
  return { kind: 'fenced', error };
}

function requestText({ at, by, reason, note }: CancelRequest): string {
  if (reason === 'superseded') return `canceled at ${toIso(at)}: the fire of ${by} takes its place`;
  return `canceled by ${by} at ${toIso(at)}${note === undefined ? '' : `: ${note}`}`;
}

function named(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
