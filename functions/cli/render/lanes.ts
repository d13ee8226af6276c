import stringWidth from 'string-width';
import { common, lengthOf, type Span } from '../../domain/contention/span.ts';
import { day, minute } from '../../domain/time.ts';
import type { Look } from './look.ts';

/** One line of a picture of time. */
export interface Lane {
  readonly label: string;
  readonly holds: readonly Span[];
  /** It went on, and held nothing. */
  readonly runs: readonly Span[];
  readonly waits: readonly Span[];
}

const marks = { holds: '█', runs: '━', waits: '░', nothing: ' ' } as const;
const gap = 2;
const narrowestBar = 20;

export interface Axis {
  readonly range: Span;
  readonly look: Look;
  /** What the wall's clock is ahead of UTC, in milliseconds: times are round there. */
  readonly offset: number;
  /** A short text for an instant. */
  readonly clock: (instant: number) => string;
}

/** What the marks mean. */
export function legendOf(lanes: readonly Lane[]): string {
  const has = (kind: 'holds' | 'runs') => lanes.some((lane) => lane[kind].length > 0);
  const runs = has('holds') ? 'runs, and holds nothing' : 'runs';
  return [
    ...(has('holds') ? [`${marks.holds} holds`] : []),
    ...(has('runs') ? [`${marks.runs} ${runs}`] : []),
    `${marks.waits} waits`,
  ].join('  ');
}

/** A lane each, below a line of times, as wide as the terminal. `foot`: a line of single characters for what each cell comes to. */
export function lanesText(
  lanes: readonly Lane[],
  { axis, foot }: { axis: Axis; foot?: { label: string; cell: (span: Span) => string } },
): string {
  const { range, look } = axis;
  const labels = [...lanes.map(({ label }) => label), ...(foot === undefined ? [] : [foot.label])];
  const labelWidth = Math.min(
    Math.max(...labels.map((label) => stringWidth(label))),
    look.width - gap - narrowestBar,
  );
  const cells = cellsOf(range, look.width - gap - labelWidth);
  const lineOf = (label: string, bar: string) =>
    `${fitted(label, labelWidth)}${' '.repeat(gap)}${bar}`.trimEnd();
  return [
    look.colors.dim(lineOf('', axisText(cells, axis))),
    ...lanes.map((lane) => lineOf(lane.label, barOf(lane, cells, look))),
    ...(foot === undefined ? [] : [look.colors.dim(lineOf(foot.label, cells.map(foot.cell).join('')))]),
  ].join('\n');
}

function cellsOf({ from, until }: Span, count: number): Span[] {
  const edge = (index: number) => from + ((until - from) * index) / count;
  return Array.from({ length: count }, (_, index) => ({ from: edge(index), until: edge(index + 1) }));
}

/** Whatever touches a cell is seen there, however short it was; who holds or runs doesn't wait. */
function barOf({ holds, runs, waits }: Lane, cells: readonly Span[], { colors }: Look): string {
  const marksOf = cells.map((cell) => {
    if (holds.some((span) => common(span, cell) !== null)) return marks.holds;
    if (runs.some((span) => common(span, cell) !== null)) return marks.runs;
    return waits.some((span) => common(span, cell) !== null) ? marks.waits : marks.nothing;
  });
  return runsOf(marksOf)
    .map((part) => (part.startsWith(marks.waits) ? colors.yellow(part) : part))
    .join('');
}

/** `['a', 'a', 'b']` → `['aa', 'b']` */
function runsOf(characters: readonly string[]): string[] {
  const parts: string[] = [];
  for (const character of characters) {
    const last = parts.at(-1);
    if (last?.startsWith(character)) parts[parts.length - 1] = last + character;
    else parts.push(character);
  }
  return parts;
}

const betweenTicks = 4;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * minute);

/** Round times above the cells in which they fall, as close as their texts let them stand. */
function axisText(cells: readonly Span[], { clock, range, offset }: Axis): string {
  const cellMs = lengthOf(range) / cells.length;
  const width = clock(range.from).length + betweenTicks;
  const step = steps.find((ms) => ms >= width * cellMs) ?? Math.ceil((width * cellMs) / day) * day;
  const first = Math.ceil((range.from + offset) / step) * step - offset;
  let text = '';
  for (let at = first; at < range.until; at += step) {
    const column = Math.floor((at - range.from) / cellMs);
    if (column + clock(at).length <= cells.length) text = text.padEnd(column) + clock(at);
  }
  return text;
}

function fitted(label: string, width: number): string {
  const tooLong = stringWidth(label) > width;
  const text = tooLong ? `…${label.slice(1 - width)}` : label;
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
