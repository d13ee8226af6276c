import { addMetered, type Bill, type Metered, type Reading, usedBetween } from '../domain/bill.ts';
import type { Context } from '../job.ts';
import type { Meter } from './ports.ts';

/** What an attempt uses from now on: what is measured of it, and what its job declares. `waitedMs`: before it, for pools. */
export function openBill(
  meter: Meter,
  waitedMs: Bill['waitedMs'] = {},
): { meter: Context['meter']; close: () => Bill } {
  let metered: Metered = {};
  const stop = meter.start();
  return {
    meter: (name, amounts) => {
      metered = addMetered(metered, name, amounts);
    },
    close: () => ({ ...stop(), ...filled('metered', metered), ...filled('waitedMs', waitedMs) }),
  };
}

function filled<Name extends 'metered' | 'waitedMs'>(name: Name, amounts: NonNullable<Bill[Name]>) {
  return Object.keys(amounts).length > 0 ? { [name]: amounts } : {};
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
