import type { Ledger } from '../../domain/ledger.ts';
import type { Alterations } from '../alterations.ts';

/** The code under simulation with one fault in it, switched in through its ports. */
export interface Mutant {
  readonly name: string;
  /** The fault, for people. */
  readonly what: string;
  readonly alter: Alterations;
}

/** A ledger of which some methods are others. */
export function altered(ledger: Ledger, methods: Partial<Ledger>): Ledger {
  return new Proxy(ledger, {
    get(target, name) {
      const other: unknown = Reflect.get(methods, name);
      if (other !== undefined) return other;
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}
