import type { Ledger } from '../domain/ledger.ts';
import type { Clock, DrawToken } from '../domain/ports.ts';

/** With what a person acts on a ledger. */
export interface Operator {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly drawToken: DrawToken;
  /** Who acts: the name of the operating system's user. */
  readonly by: string;
  /** Has the reconciler look now, where it can be reached. Never rejects. */
  readonly nudge: (why: string) => Promise<void>;
}

/** It was done, and what came of it could not be read: who does it once more does it twice. */
export class Unseen extends Error {
  override readonly name = 'Unseen';
}

/** It can't be done, and nothing was written: what, why, and what to do instead. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
