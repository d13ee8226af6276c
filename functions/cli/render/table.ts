import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { Look } from './look.ts';

export interface Row {
  /** None: a row of its note alone. */
  readonly cells: readonly string[];
  /** A line of its own below the row, for what doesn't fit in a column. */
  readonly note?: string;
}

const gap = 2;
const narrowestColumn = 12;
const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/**
 * A table without lines, as wide as the terminal at most: the columns named in `wraps` give way. The others hold what
 * people copy, and stay whole.
 */
export function tableText(
  head: readonly string[],
  rows: readonly Row[],
  { look, wraps = [] }: { look: Look; wraps?: readonly string[] },
): string {
  const natural = naturalWidths([head, ...rows.map((row) => row.cells)]);
  const widths = narrowed(natural, {
    width: look.width,
    giveWay: head.map((title) => wraps.includes(title)),
  });
  const hasNotes = rows.some((row) => row.note !== undefined);
  const table = new Table({
    chars: noBorders,
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [], compact: true },
    colWidths: hasNotes ? widened(widths, look.width) : widths,
    wordWrap: true,
  });
  table.push(head.map((title) => look.colors.dim(title)));
  for (const { cells, note } of rows) {
    if (cells.length > 0) table.push([...cells]);
    if (note !== undefined) table.push([{ content: look.colors.dim(`  ${note}`), colSpan: head.length }]);
  }
  return table.toString().replace(/[ ]+$/gm, '');
}

function naturalWidths(rows: readonly (readonly string[])[]): number[] {
  const columns = rows[0]?.map((_, column) => rows.map((row) => stringWidth(row[column] ?? ''))) ?? [];
  return columns.map((widths) => Math.max(...widths) + gap);
}

function narrowed(
  natural: readonly number[],
  { width, giveWay }: { width: number; giveWay: readonly boolean[] },
): number[] {
  const widths = [...natural];
  for (let excess = total(widths) - width; excess > 0; excess -= 1) {
    const widest = Math.max(...widths.filter((_, column) => giveWay[column]));
    if (!(widest > narrowestColumn)) break;
    widths[widths.findIndex((own, column) => giveWay[column] && own === widest)] = widest - 1;
  }
  return widths;
}

/** The last column takes what is left, so that a note may use the whole width. */
function widened(widths: readonly number[], width: number): number[] {
  const left = Math.max(0, width - total(widths));
  return widths.map((own, column) => (column === widths.length - 1 ? own + left : own));
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}
