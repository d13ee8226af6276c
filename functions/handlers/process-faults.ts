import type { Faults } from '../runtime/ports.ts';

const events = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * What escapes job code in this process. Lambda's own listeners end the process at once, before the run could be settled;
 * they are set aside while somebody listens.
 */
export const processFaults: Faults = {
  listen(onFault) {
    const aside = events.map((event) => ({ event, listeners: process.rawListeners(event) }));
    for (const { event } of aside) process.removeAllListeners(event).on(event, onFault);
    return () => {
      for (const { event, listeners } of aside) {
        process.off(event, onFault);
        for (const listener of listeners) process.on(event, listener as (error: unknown) => void);
      }
    };
  },
};
