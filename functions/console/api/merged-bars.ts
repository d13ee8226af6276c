import { second } from '../../domain/time.ts';
import type { Bar } from '../data.ts';
import type { TimedBar } from './bars.ts';
import { AskedWrongly } from './view.ts';

/** Bars nearer to each other than so many pixels are seen as one. */
const gapPx = 4;
/** One that stands for several is at most so wide, so that what is pointed at still has a time. */
const widestPx = 12;

/**
 * The same bars, with one for several of one state wherever these could hardly be told apart. `pixelMs`: how much time one
 * pixel is; 0: each run has its own.
 *
 * @param bars of one lane, oldest first
 */
export function mergedBars(bars: readonly TimedBar[], pixelMs: number): readonly TimedBar[] {
  if (pixelMs === 0) return bars;
  const gap = Math.round((gapPx * pixelMs) / second);
  const widest = Math.round((widestPx * pixelMs) / second);
  /** The newest of each state, of bars and of marks. */
  const open = new Map<number, Block>();
  const blocks: Block[] = [];
  for (const timed of bars) {
    const kind = isMark(timed.bar) ? -1 - timed.bar[3] : timed.bar[3];
    const block = open.get(kind);
    if (block !== undefined && takes(block, timed.bar, { gap, widest })) {
      block.until = Math.max(block.until, endOf(timed.bar));
      block.runs += 1;
      continue;
    }
    const opened = { first: timed, until: endOf(timed.bar), runs: 1 };
    open.set(kind, opened);
    blocks.push(opened);
  }
  return blocks.map(mergedBar);
}

/** A bar that may grow. */
interface Block {
  readonly first: TimedBar;
  until: number;
  runs: number;
}

/** Within a part of time that is the same whatever range is asked for. */
function takes(
  { first, until }: Block,
  [, start]: Bar,
  { gap, widest }: { gap: number; widest: number },
): boolean {
  const [, began] = first.bar;
  return start - until < gap && Math.floor(start / widest) === Math.floor(began / widest);
}

function mergedBar({ first, until, runs }: Block): TimedBar {
  if (runs === 1) return first;
  const [key, start, , state] = first.bar;
  return { at: first.at, bar: [key, start, isMark(first.bar) ? 0 : until, state, runs] };
}

function isMark([, , end]: Bar): boolean {
  return end === 0;
}

/** A mark ends where it begins. */
function endOf([, start, end]: Bar): number {
  return Math.max(start, end);
}

/**
 * How much time one pixel is on the page that asks: `pixel`, in seconds.
 *
 * @throws AskedWrongly for what is no number of seconds up to a day
 */
export function pixelOf(query: URLSearchParams): number {
  const text = query.get('pixel') ?? '0';
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= 86_400) return seconds * second;
  throw new AskedWrongly(`pixel: write how many seconds one pixel is, 0 to 86400, or leave it out`);
}
