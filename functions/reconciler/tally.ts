import { NoticeBoard } from './notice-board.ts';
import type { Gauges, SweepCounts } from './ports.ts';

export type Counted = Exclude<keyof SweepCounts, keyof Gauges>;

/** Counts what a sweep does as it goes, and keeps what of it people are to be told. */
export class Tally {
  readonly board: NoticeBoard;
  readonly #counts: Record<Counted, number> = {
    offered: 0,
    waiting: 0,
    missed: 0,
    beyondPolicy: 0,
    skipped: 0,
    canceled: 0,
    admitted: 0,
    reoffered: 0,
    crashed: 0,
    failed: 0,
    parked: 0,
    moved: 0,
  };

  constructor(board = new NoticeBoard()) {
    this.board = board;
  }

  add(what: Counted, count = 1): void {
    this.#counts[what] += count;
  }

  counts(gauges: Gauges): SweepCounts {
    return { ...this.#counts, ...gauges };
  }
}
