import { second } from '../domain/time.ts';

/** `unread`: nobody reads the output any more, as after `npm start | head`. */
export type StopReason = 'time' | 'signal' | 'unread';

export interface Stopping {
  /** Resolves with the first reason to stop. */
  readonly asked: Promise<StopReason>;
  /** From here on a person who asks again is obeyed at once, after `lastWords`. */
  obeyAtOnce(lastWords: () => void): void;
}

/** npm passes on a signal that the terminal sent to both of us: within this time two are one. */
const sameSignalMs = second;

/** Listens for reasons to stop: the time is up, a person says so, nobody reads what is printed. */
export function listenForStop(forMs: number | undefined): Stopping {
  let timer: NodeJS.Timeout | undefined;
  let askedAt: number | undefined;
  let lastWords: (() => void) | undefined;
  const asked = new Promise<StopReason>((resolve) => {
    if (forMs !== undefined) timer = setTimeout(() => resolve('time'), forMs);
    const onSignal = () => {
      const now = performance.now();
      if (lastWords !== undefined && now - (askedAt ?? Number.NEGATIVE_INFINITY) > sameSignalMs) {
        lastWords();
        process.exit(130);
      }
      askedAt ??= now;
      resolve('signal');
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      resolve('unread');
    });
  });
  return {
    asked: asked.finally(() => clearTimeout(timer)),
    obeyAtOnce: (words) => {
      lastWords = words;
    },
  };
}
