import { longestTimeoutMs } from '../contract.ts';
import { parseDuration, ScheduleError } from '../domain/schedule/index.ts';
import { day, hour, minute, second } from '../domain/time.ts';
import type { Refuse } from './problem.ts';

interface Bounds {
  readonly least: number;
  readonly most: number;
  /** The bounds in words, and why. */
  readonly words: string;
}

const timeoutBounds: Bounds = {
  least: second,
  most: longestTimeoutMs,
  words:
    '1 second to 14.5 minutes (Lambda ends at 15 minutes, and 30 seconds are kept for recording the outcome)',
};
const graceBounds: Bounds = { least: minute, most: 24 * hour, words: '1 minute to 24 hours' };
/** Under the shortest retention that a stage may have, so that what is made up is still on record. */
const maxAgeBounds: Bounds = { least: minute, most: 365 * day, words: '1 minute to 365 days' };

const maxWaitBounds: Bounds = { least: minute, most: 30 * day, words: '1 minute to 30 days' };

const pauseBounds: Bounds = { least: second, most: 24 * hour, words: '1 second to 24 hours' };

/** Below two minutes there is but one whole minute to choose from. */
const spreadBounds: Bounds = { least: 2 * minute, most: 24 * hour, words: '2 minutes to 24 hours' };

/** Milliseconds, or undefined when it was refused. */
function duration(option: string, value: unknown, bounds: Bounds, refuse: Refuse): number | undefined {
  const ms = typeof value === 'string' ? milliseconds(value, option) : null;
  if (ms === null)
    refuse(
      option,
      value,
      "is not a duration; allowed is a text such as '90 seconds', '10 minutes', '1 hour', '7 days'",
    );
  else if (ms < bounds.least || ms > bounds.most)
    refuse(option, value, `is out of range; allowed is ${bounds.words}`);
  else if (ms % second !== 0) refuse(option, value, 'is no whole number of seconds');
  else return ms;
  return undefined;
}

function milliseconds(text: string, option: string): number | null {
  try {
    return parseDuration(text, option);
  } catch (error) {
    if (error instanceof ScheduleError) return null;
    throw error;
  }
}

export function checkTimeout(value: unknown, refuse: Refuse): number | undefined {
  return value === undefined ? 5 * minute : duration('timeout', value, timeoutBounds, refuse);
}

export function checkGrace(value: unknown, refuse: Refuse): number | undefined {
  return value === undefined ? 3 * minute : duration('grace', value, graceBounds, refuse);
}

export function checkMaxAge(value: unknown, refuse: Refuse): number | undefined {
  return value === undefined ? 7 * day : duration('missed.maxAge', value, maxAgeBounds, refuse);
}

export function checkMaxWait(value: unknown, refuse: Refuse): number | undefined {
  return duration('maxWait', value, maxWaitBounds, refuse);
}

export function checkBackoff(value: unknown, refuse: Refuse): number | undefined {
  return duration('retry.backoff', value, pauseBounds, refuse);
}

export function checkCap(value: unknown, refuse: Refuse): number | undefined {
  return duration('retry.cap', value, pauseBounds, refuse);
}

/** What the job's own delay stays below. */
export function checkSpread(value: unknown, refuse: Refuse): number | undefined {
  const ms = duration('spread', value, spreadBounds, refuse);
  if (ms === undefined || ms % minute === 0) return ms;
  refuse('spread', value, 'is no whole number of minutes');
  return undefined;
}
