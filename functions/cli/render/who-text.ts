import type { Occupancy } from '../../domain/contention/occupancy.ts';
import type { Span } from '../../domain/contention/span.ts';
import { runId } from '../../domain/names.ts';
import { amountText, bytesText, percentText } from './amounts.ts';
import type { Look } from './look.ts';
import { tableText } from './table.ts';
import { counted, oneLine } from './text.ts';
import { clockWithin, localText, spanText } from './times.ts';
import { pictureText } from './who-picture.ts';
import { wrapped } from './wrapped.ts';

/** Who had, used and waited for what. */
export interface Who {
  readonly pool?: string;
  /** As it is now. Absent: there is no such pool; jobs only meter something under that name. */
  readonly capacity?: number;
  readonly range: Span;
  /** What they are sorted by. */
  readonly by: string;
  readonly rows: readonly Occupancy[];
  /** What is metered under the pool's name. */
  readonly units: readonly string[];
  readonly timezone: string;
  readonly now: number;
}

/** A table of who had and used how much, and below it a picture of when. */
export function whoText(who: Who, look: Look): string {
  const { rows } = who;
  const heading = wrapped(headingOf(who), look.width, '').join('\n');
  if (rows.length === 0) return heading;
  return [look.colors.bold(heading), rowsText(who, look), pictureText(who, look)].join('\n\n');
}

function headingOf({ pool, capacity, range, timezone, rows }: Who): string {
  const time = `${localText(range.from, timezone)} to ${localText(range.until, timezone)}`;
  const what = pool === undefined ? 'All runs' : oneLine(pool);
  const of =
    capacity === undefined
      ? pool === undefined
        ? ''
        : ' (metered; not a pool)'
      : `, ${counted(capacity, 'unit')}`;
  if (rows.length > 0) return `${what}${of}, ${time}`;
  return pool === undefined
    ? `Nothing ran from ${time}.`
    : `Nobody held, used or waited for ${what} from ${time}.`;
}

interface Column {
  readonly title: string;
  readonly by?: string;
  readonly cell: (row: Occupancy) => string;
}

function rowsText(who: Who, look: Look): string {
  const columns = columnsOf(who);
  const head = columns.map(({ title, by }) => (by === who.by ? `${title}↓` : title));
  const rows = who.rows.map((row) => ({ cells: columns.map(({ cell }) => cell(row)) }));
  return tableText(head, rows, { look });
}

/** Those that would say nothing are left out. */
function columnsOf({ pool, units, rows, range, timezone }: Who): Column[] {
  const clock = clockWithin(range, timezone);
  const some = (says: (row: Occupancy) => boolean, column: Column) => (rows.some(says) ? [column] : []);
  const told = (amount: number | null | undefined, text: (amount: number) => string) =>
    amount === null || amount === undefined ? '-' : text(amount);
  return [
    { title: 'RUN', cell: ({ run }) => runId(run) },
    ...some(({ attempt }) => (attempt?.number ?? 1) > 1, {
      title: 'ATTEMPT',
      cell: ({ attempt }) => (attempt === null ? '-' : String(attempt.number)),
    }),
    { title: pool === undefined ? 'RAN' : 'HELD', by: 'held', cell: (row) => heldText(row, clock) },
    ...some(({ waitedMs }) => waitedMs > 0, {
      title: 'WAITED',
      cell: ({ waitedMs }) => (waitedMs === 0 ? '-' : spanText(waitedMs)),
    }),
    ...some(({ weight }) => weight > 0, { title: 'WEIGHT', cell: ({ weight }) => String(weight) }),
    ...some(({ share }) => share !== null && share > 0, {
      title: 'SHARE',
      cell: ({ share }) => told(share, percentText),
    }),
    ...units.map((unit) => ({
      title: oneLine(unit).toUpperCase(),
      by: unit,
      cell: ({ metered }: Occupancy) => told(metered[unit], amountText),
    })),
    { title: 'CPU', by: 'cpu', cell: ({ cpuMs }) => told(cpuMs, spanText) },
    { title: 'BYTES', by: 'bytes', cell: ({ bytes }) => told(bytes, bytesText) },
  ];
}

function heldText({ held, goesOn }: Occupancy, clock: (instant: number) => string): string {
  if (held === null) return goesOn ? 'waits' : '-';
  return `${clock(held.from)}–${goesOn ? 'now' : clock(held.until)}`;
}
