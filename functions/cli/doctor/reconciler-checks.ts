import { minute, second } from '../../domain/time.ts';
import { settledUpTo } from '../../domain/watermark.ts';
import { agoText, localText, spanText } from '../render/times.ts';
import { type Check, fine, foundNone, unknown } from './check.ts';
import type { LedgerFacts } from './ledger.ts';

/** A sweep comes each minute and takes up to one; without any for five minutes there is an alert, too. */
const lateMs = 2.5 * minute;
const silentMs = 5 * minute;
/** Clocks may differ by so much. */
const skewMs = 30 * second;

export function reconcilerCheck({ reconciler, isRunning, now }: LedgerFacts): Check {
  const name = 'reconciler';
  const sweptAt = reconciler?.sweptAt;
  const todo = isRunning ? look : 'npm start runs it';
  const verdict = isRunning ? 'wrong' : 'note';
  if (sweptAt === undefined) return { name, verdict, says: 'it has not ended a sweep yet', todo };
  const says = `its last sweep was ${agoText(sweptAt, now)}, at ${localText(sweptAt, 'UTC')}`;
  if (now - sweptAt > silentMs)
    return { name, verdict, says: `${says}: it stands still`, todo, ...leaseItem(reconciler, now) };
  if (now - sweptAt > lateMs) return { name, verdict: 'note', says, ...leaseItem(reconciler, now) };
  return fine(name, says);
}

const look =
  'read what it logs: log.jsonl in the data folder, or its log group (infra/RUNBOOK.md, “reconciler silent”)';

function leaseItem(reconciler: LedgerFacts['reconciler'], now: number): Pick<Check, 'items'> {
  const until = reconciler?.leaseUntil;
  if (until === undefined) return {};
  return until > now
    ? { items: [`a turn holds the lease for ${spanText(until - now)} more: it is at work, or it died`] }
    : { items: [`a turn died with the lease, which ended ${agoText(until, now)}: the next one takes it`] };
}

/** What the reconciler itself says that it has not accounted for. */
export function accountsCheck({ reconciler, manifest, isRunning, now }: LedgerFacts): Check {
  const name = 'accounts';
  const { watermark, sweptAt = now } = reconciler ?? {};
  if (watermark === undefined) return unknown(name, 'the reconciler keeps none yet');
  const aside = Object.keys(watermark.aside ?? {});
  if (aside.length > 0)
    return {
      name,
      verdict: 'wrong',
      says: "the due times of some jobs can't be worked out; their fires are owed",
      items: aside,
      todo: 'see what the reconciler logs of them, and deploy a schedule that can be read',
    };
  const settled = settledUpTo(watermark);
  const graceMs = Math.max(0, ...manifest.jobs.map((job) => job.graceMs));
  const behindMs = (isRunning ? now : sweptAt) - settled;
  const upTo = localText(settled, 'UTC');
  if (behindMs <= graceMs + silentMs) return fine(name, `every fire due up to ${upTo} has its record`);
  const owedMs = watermark.gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    name,
    verdict: isRunning && owedMs < minute ? 'wrong' : 'note',
    says:
      owedMs < minute
        ? `fires since ${upTo} could not be recorded`
        : `${spanText(owedMs)} since ${upTo} are still to be looked at, newest first`,
    todo: owedMs < minute ? look : 'wait: an outage is worked through by one sweep after the other',
  };
}

/** Instants of the ledger that lie ahead of this machine's clock. */
export function clockCheck({ reconciler, states, now }: LedgerFacts): Check {
  const ahead = [
    { what: 'the last sweep', at: reconciler?.sweptAt ?? 0 },
    ...[...states.values()].map(({ jobId, specSince }) => ({
      what: `the schedule of ${jobId}`,
      at: specSince,
    })),
  ].filter(({ at }) => at > now + skewMs);
  const items = ahead.map(
    ({ what, at }) => `${what}: at ${localText(at, 'UTC')}, ${spanText(at - now)} ahead`,
  );
  const check = {
    name: 'clocks',
    verdict: 'wrong',
    says: 'the ledger was written by a clock that was ahead, or this one is behind',
    todo: 'set the clock by NTP; a schedule from the future is due from its instant on, and its deliveries are strays until then',
  } as const;
  return foundNone(items, check, 'nothing in the ledger is ahead of this machine’s');
}
