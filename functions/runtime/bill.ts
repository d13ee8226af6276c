import { addMetered, type Bill, type Metered, type Reading, usedBetween } from '../domain/bill.ts';
import type { Context } from '../job.ts';
import type { Meter } from './ports.ts';

/**
 * What an attempt uses from now on: what is measured of it, and what its job declares. `waitedMs`: before it, for pools.
 * `close` gives the whole, and ends the measurement.
 */
export function openBill(
  meter: Meter,
  waitedMs: Bill['waitedMs'] = {},
): { meter: Context['meter']; soFar: () => Bill; close: () => Bill } {
  let metered: Metered = {};
  const { used, stop } = meter.start();
  const soFar = () => ({ ...used(), ...filled('metered', metered), ...filled('waitedMs', waitedMs) });
  return {
    meter: (name, amounts) => {
      metered = addMetered(metered, name, amounts);
    },
    soFar,
    close: () => {
      const bill = soFar();
      stop();
      return bill;
    },
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
      return { used: () => usedBetween(before, read()), stop: () => undefined };
    },
  };
}
