import { decideFinish, thoughOthersWait } from '../../../functions/domain/finish.ts';
import type { Effect, Ledger } from '../../../functions/domain/ledger.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { fireTime } from '../../support/ledger-records.ts';

/** How a run ends: its first write, and the one that is made once others wait. */
export function finishing(run: Run) {
  const outcome = { kind: 'succeeded' } as const;
  const { change, effect } = decideFinish(run, { outcome, attempt: 1, now: fireTime + 9_000 });
  const write = (ledger: Ledger, of: Effect) =>
    ledger.move(run, { state: 'running', token: run.token }, change, { effect: of });
  return {
    first: (ledger: Ledger) => write(ledger, effect),
    again: (ledger: Ledger) => write(ledger, thoughOthersWait(effect)),
  };
}
