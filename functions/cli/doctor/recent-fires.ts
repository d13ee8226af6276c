import { auditableUntil } from '../../domain/audit.ts';
import { hour } from '../../domain/time.ts';
import { auditLedger } from '../../store/audit-ledger.ts';
import { everyJob } from '../known-jobs.ts';
import type { OpenLedger } from '../open-ledger.ts';
import { counted } from '../render/text.ts';
import { localText } from '../render/times.ts';
import { type Check, fine } from './check.ts';
import type { LedgerFacts } from './ledger.ts';

const mostNamed = 5;

/** An audit of the newest hour that can be judged: what the reconciler says of itself counts for nothing here. */
export async function recentFiresCheck(
  { ledger }: OpenLedger,
  { manifest, reconciler, isRunning, now }: LedgerFacts,
): Promise<Check> {
  const name = 'fires';
  const judged = isRunning ? now : Math.min(now, reconciler?.sweptAt ?? 0);
  const to = auditableUntil(judged, manifest.jobs);
  const range = { from: to - hour, to };
  const audit = await auditLedger(
    ledger,
    everyJob(manifest).map(({ id }) => id),
    range,
  );
  const during = `in the hour up to ${localText(to, 'UTC')}`;
  if (audit.expected === 0 && audit.doubleRuns === 0) return fine(name, `none was due ${during}`);
  const missing = audit.expected - audit.recorded;
  if (missing === 0 && audit.doubleRuns === 0)
    return fine(name, `${counted(audit.expected, 'fire')} due ${during}, each with its one record`);
  return {
    name,
    verdict: 'wrong',
    says: `${counted(missing, 'fire')} without a record and ${counted(audit.doubleRuns, 'fire')} that ran twice ${during}`,
    items: audit.missing.slice(0, mostNamed),
    todo: 'fl audit names all of them',
  };
}
