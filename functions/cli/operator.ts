import type { Operator } from '../operator/ports.ts';
import type { Io } from './io.ts';
import { nudgeReconciler } from './nudge-reconciler.ts';
import type { OpenLedger } from './open-ledger.ts';

/** The person at the terminal. */
export function operatorOf(open: OpenLedger, io: Io): Operator {
  return {
    ledger: open.ledger,
    clock: io.now,
    drawToken: io.drawToken,
    by: io.user(),
    nudge: (why) => nudgeReconciler(open, why, io),
  };
}
