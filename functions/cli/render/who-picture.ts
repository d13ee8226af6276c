import { staysOf, weightIn } from '../../domain/contention/holding.ts';
import { isHeld, type Occupancy, poolWaits } from '../../domain/contention/occupancy.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { localTime, offsetAt } from '../../domain/schedule/index.ts';
import { type Lane, lanesText, legendOf } from './lanes.ts';
import type { Look } from './look.ts';
import { counted } from './text.ts';
import { clockWithin } from './times.ts';
import type { Who } from './who-text.ts';

const mostLanes = 40;

/** A lane for each run, whoever came first on top, and how much of the pool was held. */
export function pictureText(who: Who, look: Look): string {
  const { range, timezone, capacity, rows } = who;
  const runs = [...new Map(rows.map(({ run }) => [runId(run), run])).values()];
  const lanes = runs.slice(0, mostLanes).map((run) => laneOf(run, who));
  const clock = clockWithin(range, timezone);
  const offset = offsetAt(range.from, timezone);
  const axis = { range, look, offset, clock: (instant: number) => clock(instant).slice(0, -':00'.length) };
  const foot = {
    label: `held, of ${capacity}`,
    cell: ({ from, until }: Lane['holds'][number]) => heldAt((from + until) / 2, rows),
  };
  const hidden = runs.length - lanes.length;
  const note = `${legendOf(lanes)}${hidden > 0 ? `; ${counted(hidden, 'run')} more` : ''}`;
  const text = lanesText(
    lanes.sort((a, b) => beginOf(a) - beginOf(b)),
    capacity !== undefined && isHeld(rows) ? { axis, foot } : { axis },
  );
  return `${text}\n${look.colors.dim(note)}`;
}

function laneOf(run: Run, { rows, pool, timezone, now }: Who): Lane {
  const shown = new Set(rows.flatMap((row) => (row.run === run && row.held !== null ? [row.attempt] : [])));
  const stays = staysOf(run, now).filter(({ attempt }) => shown.has(attempt));
  const isHolder = pool !== undefined && weightIn(run, pool) > 0;
  return {
    label: `${run.jobId} ${localTime(run.fireTime, timezone).slice(11, 16)}`,
    ...{ holds: isHolder ? stays : [], runs: isHolder ? [] : stays },
    waits: poolWaits(run, pool, now),
  };
}

function beginOf({ holds, runs, waits }: Lane): number {
  return Math.min(...[...holds, ...runs, ...waits].map(({ from }) => from));
}

/** In one character. */
function heldAt(instant: number, rows: readonly Occupancy[]): string {
  const held = rows.reduce(
    (sum, { held: at, weight }) =>
      at !== null && at.from <= instant && instant < at.until ? sum + weight : sum,
    0,
  );
  return held > 9 ? '+' : String(held);
}
