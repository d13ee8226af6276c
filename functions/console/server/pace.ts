import { setTimeout as delay } from 'node:timers/promises';

const localPollMs = 2_000;
/** Each look at a deployed ledger is paid for. */
const stagePollMs = 10_000;
/** So long after a person has pressed something it is looked at as often as a local one: they wait to see what comes of it. */
const hurryMs = 60_000;

/** How often the ledger is looked at. */
export interface Pace {
  /** A person has just pressed something. */
  hurry(): void;
  /** Resolves when it is time to look again, or when it isn't wanted any more. */
  next(isWanted: () => boolean): Promise<void>;
}

interface PaceOptions {
  /** Absent: a data folder on this machine. */
  readonly stage?: string | undefined;
  /** @default 2 s, of a deployed stage 10 s */
  readonly everyMs?: number | undefined;
  /** In milliseconds, since whenever. @default - the machine's */
  readonly elapsed?: () => number;
  readonly pause?: (ms: number) => Promise<unknown>;
}

export function paceOf({
  stage,
  everyMs = stage === undefined ? localPollMs : stagePollMs,
  elapsed = () => performance.now(),
  pause = (ms) => delay(ms, undefined, { ref: false }),
}: PaceOptions): Pace {
  let hurriesUntil = Number.NEGATIVE_INFINITY;
  return {
    hurry: () => {
      hurriesUntil = elapsed() + hurryMs;
    },
    next: async (isWanted) => {
      const lookedAt = elapsed();
      const isDue = () => elapsed() - lookedAt >= everyMs || elapsed() < hurriesUntil || !isWanted();
      do await pause(Math.min(everyMs, localPollMs));
      while (!isDue());
    },
  };
}
