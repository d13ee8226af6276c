import stringWidth from 'string-width';
import { isHeld, type Occupancy } from '../../domain/contention/occupancy.ts';
import { runId } from '../../domain/names.ts';
import { amountText, bytesText, percentText } from './amounts.ts';
import type { Look } from './look.ts';
import { tableText } from './table.ts';
import { oneLine } from './text.ts';
import { clockWithin, spanText } from './times.ts';
import type { Who } from './who-text.ts';

interface Column {
  readonly title: string;
  /** By what it can be sorted. */
  readonly by?: string;
  readonly cell: (row: Occupancy) => string;
  /** It is left out where there is no room, unless they are sorted by it. */
  readonly givesWay?: true;
}

export function rowsText(who: Who, look: Look): string {
  const columns = columnsOf(who);
  const givingWay = columns.filter(({ givesWay, by }) => givesWay && by !== who.by);
  const table = textOf(columns, who, look);
  if (widthOf(table) <= look.width || givingWay.length === 0) return table;
  const left = givingWay.map(({ title }) => title).join(', ');
  const narrow = columns.filter((column) => !givingWay.includes(column));
  return `${textOf(narrow, who, look)}\n${look.colors.dim(`No room for ${left}: --json has them.`)}`;
}

function textOf(columns: readonly Column[], who: Who, look: Look): string {
  const head = columns.map(({ title, by }) => (by === who.by ? `${title}↓` : title));
  const rows = who.rows.map((row) => ({ cells: columns.map(({ cell }) => cell(row)) }));
  return tableText(head, rows, { look });
}

function widthOf(text: string): number {
  return Math.max(...text.split('\n').map((line) => stringWidth(line)));
}

/** Those that would say nothing are left out. */
function columnsOf({ units, rows, range, timezone, now }: Who): Column[] {
  const clock = clockWithin(range, timezone);
  const some = (says: (row: Occupancy) => boolean, column: Column) => (rows.some(says) ? [column] : []);
  const holds = isHeld(rows);
  return [
    { title: 'RUN', cell: ({ run }) => runId(run) },
    ...some(({ attempt }) => (attempt?.number ?? 1) > 1, {
      title: 'ATTEMPT',
      cell: ({ attempt }) => told(attempt?.number, String),
    }),
    {
      title: holds ? 'HELD' : 'RAN',
      by: 'held',
      cell: (row) =>
        `${holds && row.held !== null && row.weight === 0 ? 'ran ' : ''}${heldText(row, clock, now)}`,
    },
    ...some(({ waitedMs }) => waitedMs > 0, {
      title: 'WAITED',
      cell: ({ waitedMs }) => told(waitedMs || null, spanText),
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
    ...ofEveryBill.filter(({ by = '' }) => !units.includes(by)),
  ];
}

const ofEveryBill: readonly Column[] = [
  { title: 'CPU', by: 'cpu', cell: ({ cpuMs }) => told(cpuMs, spanText), givesWay: true },
  { title: 'BYTES', by: 'bytes', cell: ({ bytes }) => told(bytes, bytesText), givesWay: true },
];

function told(amount: number | null | undefined, text: (amount: number) => string): string {
  return amount === null || amount === undefined ? '-' : text(amount);
}

function heldText({ held, goesOn }: Occupancy, clock: (instant: number) => string, now: number): string {
  if (held === null) return goesOn ? 'waits' : '-';
  return `${clock(held.from)}–${goesOn && held.until === now ? 'now' : clock(held.until)}`;
}
