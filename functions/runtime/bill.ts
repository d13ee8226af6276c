import { addMetered, type Bill, type Metered, type Reading, usedBetween } from '../domain/bill.ts';
import type { Context } from '../job.ts';
import type { Meter } from './ports.ts';

/** What an attempt uses from now on: what is measured of it, and what its job declares. */
export function openBill(meter: Meter): { meter: Context['meter']; close: () => Bill } {
  let metered: Metered = {};
  const stop = meter.start();
  return {
    meter: (name, amounts) => {
      metered = addMetered(metered, name, amounts);
    },
    close: () => ({ ...stop(), ...(Object.keys(metered).length > 0 && { metered }) }),
  };
}

/** A meter that knows no more than what it reads at the beginning and at the end. */
export function readingMeter(read: () => Reading): Meter {
  return {
    start: () => {
      const before = read();
      return () => usedBetween(before, read());
    },
  };
}
