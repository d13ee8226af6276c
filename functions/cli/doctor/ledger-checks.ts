import type { Catalog } from '../../catalog/index.ts';
import type { LedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { oneLine } from '../render/text.ts';
import { UserError } from '../user-error.ts';
import { type Check, fine } from './check.ts';
import { deployedCheck, failingCheck, inForceCheck, pausedCheck, zonesCheck } from './job-checks.ts';
import { readFacts } from './ledger.ts';
import { recentFiresCheck } from './recent-fires.ts';
import { accountsCheck, clockCheck, reconcilerCheck } from './reconciler-checks.ts';
import {
  overdueCheck,
  parkedCheck,
  readableCheck,
  slotCheck,
  suspectedCheck,
  waitingCheck,
} from './run-checks.ts';

interface Asked {
  readonly isRunning: boolean;
  /** Null when a job file is bad. */
  readonly catalog: Catalog | null;
  /** How the working copy is deployed there. */
  readonly how: string;
  readonly now: number;
}

/** Everything that a ledger tells. One that can't be reached is told, and nothing of it is guessed. */
export async function ledgerChecks(options: LedgerOptions, asked: Asked): Promise<Check[]> {
  try {
    return await usingLedger(options, 'doctor', (open) => lookAt(open, asked));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ name: 'table', verdict: 'wrong', says: oneLine(error.message) }];
  }
}

async function lookAt(open: OpenLedger, { isRunning, catalog, how, now }: Asked): Promise<Check[]> {
  const facts = await readFacts(open, { now, isRunning });
  if (facts === null)
    return [
      {
        name: 'table',
        verdict: isRunning ? 'wrong' : 'note',
        says: 'it answers, and knows no jobs yet: the reconciler writes them on its first sweep',
        todo: isRunning
          ? 'wait a minute; if it stays so, see what the reconciler logs'
          : 'npm start runs the reconciler',
      },
    ];
  return [
    fine('table', 'it answers'),
    deployedCheck(facts, catalog, how),
    inForceCheck(facts),
    zonesCheck(facts),
    clockCheck(facts),
    reconcilerCheck(facts),
    accountsCheck(facts),
    await recentFiresCheck(open, facts),
    overdueCheck(facts),
    suspectedCheck(facts),
    waitingCheck(facts),
    parkedCheck(facts),
    slotCheck(facts),
    readableCheck(facts),
    pausedCheck(facts),
    failingCheck(facts),
  ];
}
