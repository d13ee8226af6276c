import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { isOpen } from '../../domain/run.ts';
import { hour, minute } from '../../domain/time.ts';
import { why } from '../render/run-words.ts';
import { counted } from '../render/text.ts';
import { agoText, spanText } from '../render/times.ts';
import { type Check, fine, foundNone } from './check.ts';
import type { LedgerFacts } from './ledger.ts';

/** A sweep comes each minute. */
const overdueMs = 2 * minute;
const longWaitMs = hour;

/** Runs whose lease or offer is over, and that no sweep has taken care of. */
export function overdueCheck({ active, isRunning, now }: LedgerFacts): Check {
  const overdue = active.filter(({ attentionAt = now }) => now - attentionAt > overdueMs);
  const items = overdue.map(
    (run) =>
      `${runId(run)}: ${run.state}, its ${run.state === 'offered' ? 'offer' : 'lease'} ended ${agoText(run.attentionAt ?? now, now)}`,
  );
  const check: Check = {
    name: 'overdue runs',
    verdict: isRunning ? 'wrong' : 'note',
    says: `${counted(overdue.length, 'run')} should have been settled or offered anew`,
    todo: isRunning ? 'see what the reconciler logs of them' : 'the next start settles them',
  };
  return foundNone(items, check, `none; ${counted(active.length, 'run')} running or offered`);
}

/** Reported dead by Lambda, and not proven. */
export function suspectedCheck({ active, now }: LedgerFacts): Check {
  const suspected = active.filter(
    (run) => run.suspected !== undefined && (run.attentionAt ?? now) > now - overdueMs,
  );
  const items = suspected.map(({ attentionAt = now, suspected: of, ...run }) => {
    const left =
      attentionAt > now ? `its lease ends in ${spanText(attentionAt - now)}` : 'its lease has just ended';
    return `${runId(run)}: ${left} (${of?.why})`;
  });
  const check: Check = {
    name: 'suspected runs',
    verdict: 'note',
    says: `${counted(suspected.length, 'run')} probably died; only the end of the lease proves it`,
    todo: 'wait for it: then the run is made good for as its job’s `crashed` says',
  };
  return foundNone(items, check, 'none');
}

export function waitingCheck({ waiting, states, now }: LedgerFacts): Check {
  const isPaused = ({ jobId }: Run) => states.get(jobId)?.paused !== undefined;
  const long = waiting.filter((run) => now - run.createdAt > longWaitMs);
  const items = long.map(
    (run) =>
      `${runId(run)}: for ${spanText(now - run.createdAt)}, ${isPaused(run) ? 'and its job is paused' : why(run, { timezone: 'UTC' })}`,
  );
  const check: Check = {
    name: 'waiting runs',
    verdict: 'note',
    says: `${long.length} of ${counted(waiting.length, 'run')}: for over an hour`,
    todo: 'they start oldest first, one at a time, within their job’s `rate`; live fires go first',
  };
  return foundNone(
    items,
    check,
    waiting.length === 0 ? 'none' : `${counted(waiting.length, 'run')}, for less than an hour`,
  );
}

export function parkedCheck({ parked }: LedgerFacts): Check {
  const check: Check = {
    name: 'parked runs',
    verdict: 'person',
    says: `${counted(parked.length, 'run')} died half-way, and a person must decide`,
    todo: 'fl show JOB TIME tells what is known; then fl release JOB TIME --rerun or --fail',
  };
  return foundNone(
    parked.map((run) => `${runId(run)}: ${run.reason ?? 'parked'}`),
    check,
    'none',
  );
}

/** A slot that nobody gives back bars every later fire of its job. */
export function slotCheck({ inSlot, states }: LedgerFacts): Check {
  const leaked = [...inSlot].filter(([, run]) => run === null || !isOpen(run.state));
  const items = leaked.map(
    ([jobId, run]) => `${jobId}: of ${states.get(jobId)?.slot}, which is ${run?.state ?? 'no run at all'}`,
  );
  const check: Check = {
    name: 'slots',
    verdict: 'wrong',
    says: `${counted(leaked.length, 'job')} can't start: the slot is held by a run that is over`,
    todo: 'this must not happen: please report it, with fl show of that run and the reconciler’s log',
  };
  return foundNone(items, check, `${counted(inSlot.size, 'slot')} taken, each by an open run`);
}

export function readableCheck({ unreadable }: LedgerFacts): Check {
  if (unreadable.length === 0) return fine('records', 'every open run can be read');
  return {
    name: 'records',
    verdict: 'wrong',
    says: `${counted(unreadable.length, 'open run')} can't be read by this version`,
    items: unreadable,
    todo: 'look at them with the version that wrote them; they count as recorded, and are left alone',
  };
}
