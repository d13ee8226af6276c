import { minute } from '../../../functions/domain/time.ts';
import {
  drawFaults,
  type FaultName,
  Faults,
  faultNames,
  type Strike,
} from '../../../functions/simulator/faults.ts';
import type { Violation } from '../../../functions/simulator/observe.ts';
import { Random } from '../../../functions/simulator/random.ts';
import type { Simulated, SimulateOptions } from '../../../functions/simulator/simulate.ts';
import { Trace, type TraceLine } from '../../../functions/simulator/trace.ts';

export const from = Date.parse('2026-12-01T00:00:00Z');
export const run = 'billing/close-month#2026-12-01T00:20:00Z';

/** Whether these strikes, of which the last one just happened, break a promise. */
export type Breaks = (strikes: readonly Strike[], seed: number) => boolean;

const chances = Object.fromEntries(faultNames.map((name) => [name, 0.05]));

/**
 * A world in which nothing happens but strikes: every ten minutes each fault has its chance, as the real one draws and
 * counts them.
 */
export function fakeSimulate(breaks: Breaks, invariant = 'one-live-attempt') {
  return async (options: SimulateOptions & { readonly mutant?: string }): Promise<Simulated> => {
    const { seed, days } = options;
    const random = new Random(seed);
    const enabled = options.plan?.enabled ?? drawFaults(options.faults, random.fork('draw'));
    const trace = new Trace(options.trace);
    const strikes: Strike[] = [];
    let at = from;
    const faults = new Faults({ ...options.plan, enabled, chances }, random.fork('faults'), (strike) => {
      strikes.push(strike);
      trace.note(line(at, `fault`, strike.fault, { strike }));
    });
    const violations: Violation[] = [];
    for (let step = 0; step < days * 24 && violations.length === 0; step += 1) {
      at = from + step * 10 * minute;
      trace.note(line(at, 'alarm clock', `delivers ${step}`, step % 2 === 0 ? { run } : {}));
      if (faultNames.some((name) => faults.strikes(name) && breaks(strikes, seed)))
        violations.push({ invariant, at, run, what: 'two attempts were alive' });
    }
    return {
      seed,
      deliveries: 100 * days,
      fires: 90 * days,
      bodies: 95 * days,
      enabled: [...enabled],
      strikes: { ...faults.counts },
      totalStrikes: faults.total,
      violations,
      hash: trace.hash,
    };
  };
}

function line(at: number, actor: string, what: string, more: Partial<TraceLine>): TraceLine {
  return { at, actor, what, ...more };
}

/** Breaks once each of these faults has struck. */
export function brokenBy(...names: readonly FaultName[]): Breaks {
  return (strikes) => names.every((name) => strikes.some(({ fault }) => fault === name));
}

/** For processes that simulate: no promise is ever broken. */
export const simulate = fakeSimulate(() => false);
