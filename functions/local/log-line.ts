import { oneLine } from '../cli/render/text.ts';
import { toIso } from '../domain/time.ts';

/** `plain`: a job printed it as it is. */
export interface LogText {
  readonly level: 'plain' | 'warn' | 'error';
  readonly text: string;
}

/** What stands in every line, or elsewhere on the screen. */
const known = new Set([
  'level',
  'message',
  'timestamp',
  'service',
  'stage',
  'jobId',
  'fireTime',
  'attempt',
  'requestId',
  'token',
  'run',
  'sampling_rate',
  'xray_trace_id',
  'error',
  'bill',
]);
/** What the runtime says of an invocation's end: the event of that end says as much. */
const toldByEvents = new Set<unknown>([
  'failed',
  'failed, and is tried again',
  'timed out',
  'timed out, and is tried again',
  'parked: nobody knows whether a step was done',
  'canceled',
  'skipped: overlap',
  'skipped: paused',
]);
const longestValue = 60;
/** Names of instants, and the epoch milliseconds that can be meant: from 2001 to 2096. */
const instants = { names: /^(at|.*At|until)$/, from: 1e12, to: 4e12 };

/**
 * A warning or an error of a structured log line, with its fields, or anything else as it was printed. Null for what a
 * person at a terminal needn't see: the log file has all.
 */
export function logText(line: string): LogText | null {
  const fields = structured(line);
  if (fields === null) return { level: 'plain', text: oneLine(line) };
  const { level, message } = fields;
  if ((level !== 'ERROR' && level !== 'WARN') || toldByEvents.has(message)) return null;
  const parts = [
    String(message),
    ...Object.entries(fields).sort(byName).flatMap(fieldText),
    ...errorText(fields.error),
  ];
  return { level: level === 'ERROR' ? 'error' : 'warn', text: oneLine(parts.join('  ')) };
}

/** A record gives its fields back in any order. */
function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

function fieldText([name, value]: [string, unknown]): string[] {
  if (known.has(name)) return [];
  const text = valueText(name, value);
  return [`${name}=${text.length > longestValue ? `${text.slice(0, longestValue)}…` : text}`];
}

function valueText(name: string, value: unknown): string {
  const { names, from, to } = instants;
  if (typeof value === 'number' && names.test(name) && from <= value && value <= to) return toIso(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function errorText(error: unknown): string[] {
  if (typeof error !== 'object' || error === null || !('message' in error)) return [];
  return [String(error.message)];
}

function structured(line: string): Readonly<Record<string, unknown>> | null {
  if (!line.startsWith('{')) return null;
  try {
    const fields: Readonly<Record<string, unknown>> = JSON.parse(line);
    return '_aws' in fields || 'level' in fields ? fields : null;
  } catch {
    return null;
  }
}
