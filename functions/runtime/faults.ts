import type { Log } from '../domain/ports.ts';
import type { Faults } from './ports.ts';

/** The rejections and exceptions that nothing caught while a run is on. */
export interface FaultWatch {
  /** Resolves with the first one; pending for ever when there is none. */
  readonly first: Promise<unknown>;
  /** Whether there was any: such a process must not serve another fire. */
  any(): boolean;
  stop(): void;
}

export function watchFaults(faults: Faults, log: Log): FaultWatch {
  let seen = false;
  let stop: () => void = () => undefined;
  const first = new Promise<unknown>((resolve) => {
    stop = faults.listen((error) => {
      seen = true;
      log.error('job code let an error escape: a promise without await, or a callback that threw', { error });
      resolve(error);
    });
  });
  return { first, any: () => seen, stop: () => stop() };
}
