import { parseDuration } from './schedule/index.ts';
import { day, second } from './time.ts';

const longestPauseMs = day;

/** Thrown by a job: the run fails for good, whatever its `retry` says. */
export class Fatal extends Error {
  override readonly name = 'Fatal';
  /** A plain mark, so that it is recognised whichever copy of this module made it. */
  readonly fireledger = 'fatal';
}

/**
 * Thrown by a job: try this run again after this pause, in place of the one that its `retry` would draw. It counts as one
 * of its attempts.
 *
 * @throws RangeError for a pause that is no duration from 1 second to 24 hours
 */
export class Retry extends Error {
  override readonly name = 'Retry';
  readonly fireledger = 'retry';
  readonly afterMs: number;

  constructor({ after, message, cause }: { after: string; message?: string; cause?: unknown }) {
    super(message ?? `to be tried again after ${after}`, { cause });
    this.afterMs = pauseOf(after);
  }
}

function pauseOf(after: string): number {
  const ms = parsed(after);
  if (ms !== null && ms >= second && ms <= longestPauseMs) return ms;
  throw new RangeError(
    `new Retry({ after: ${JSON.stringify(after)} }): allowed is a duration from '1 second' to '24 hours'`,
  );
}

function parsed(after: string): number | null {
  try {
    return parseDuration(after, 'after');
  } catch {
    return null;
  }
}
