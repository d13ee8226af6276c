import { tenths } from '../../domain/bill.ts';
import type { Occupancy } from '../../domain/contention/occupancy.ts';
import { runId } from '../../domain/names.ts';
import { toIso } from '../../domain/time.ts';
import type { Who } from './who-text.ts';

/** For scripts: instants as ISO texts, lengths in milliseconds, null where nobody knows. */
export function whoJson({ pool, capacity, range, by, rows }: Who): Readonly<Record<string, unknown>> {
  return {
    ...(pool !== undefined && { pool }),
    ...(capacity !== undefined && { capacity }),
    from: toIso(range.from),
    to: toIso(range.until),
    by,
    runs: rows.map(rowJson),
  };
}

function rowJson({ run, attempt, held, goesOn, weight, share, waitedMs, metered, cpuMs, bytes }: Occupancy) {
  return {
    id: runId(run),
    state: run.state,
    attempt: attempt?.number ?? null,
    ...(held !== null && { from: toIso(held.from), until: toIso(held.until) }),
    heldMs: held === null ? 0 : held.until - held.from,
    goesOn,
    waitedMs,
    weight,
    share: share === null ? null : Math.round(share * 10_000) / 10_000,
    metered: Object.fromEntries(Object.entries(metered).map(([unit, amount]) => [unit, rounded(amount)])),
    cpuMs: rounded(cpuMs),
    bytes: rounded(bytes),
  };
}

/** A part of a bill is no more exact than the bill. */
function rounded(amount: number | null): number | null {
  return amount === null ? null : tenths(amount);
}
