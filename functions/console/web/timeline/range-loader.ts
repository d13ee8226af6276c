import type { TimelineAnswer } from '../../data.ts';
import { type PackedLane, packLanes } from './packed.ts';
import { covers, fetchedFor, pixelOf, showLast, type TimeView } from './time-view.ts';

/** Fetches `/api/timeline…`; without a range it answers the one that people look at first. */
export type LoadTimeline = (path: string) => Promise<TimelineAnswer>;

export interface RangeLoader {
  /** Asks for what is missing, if anything is and nothing is on its way. Cheap: it may be called for each frame. */
  readonly ensure: () => void;
  /** Asks for the same again, since it has changed. */
  readonly again: () => void;
  /** What comes now is for nobody. */
  readonly stop: () => void;
}

interface Seen {
  /** Changed in place: to what the server chooses, if nothing was seen yet. */
  readonly view: TimeView;
  /** Of the chart, in pixels. */
  readonly width: () => number;
  /** How much of time is shown at first; null: as the server chooses. */
  readonly firstSpan: number | null;
  readonly got: (answer: TimelineAnswer, lanes: readonly PackedLane[]) => void;
  readonly failed: (error: unknown) => void;
}

/** A range at hand, at so many seconds a pixel; 0: each run has its own bar. */
interface Fetched extends TimeView {
  readonly pixel: number;
}

/** Keeps more of time at hand than is seen, with one request at a time. */
export function rangeLoader(load: LoadTimeline, { view, width, firstSpan, ...told }: Seen): RangeLoader {
  let fetched: Fetched | null = null;
  let [isBusy, isStopped, isAskedAgain] = [false, false, false];
  const ask = async () => {
    isBusy = true;
    const wanted = wantedFor(view, width());
    try {
      const answer = await load(pathOf(wanted));
      got(wanted, answer, await packLanes(answer));
    } catch (error) {
      // What failed is asked for again with the next change, not with the next frame.
      fetched = wanted;
      if (!isStopped) told.failed(error);
    }
    isBusy = false;
    if (isStopped) return;
    if (isAskedAgain) again();
    else ensure();
  };
  const got = ({ pixel }: Fetched, answer: TimelineAnswer, lanes: readonly PackedLane[]) => {
    const range = { from: Date.parse(answer.from), to: Date.parse(answer.to) };
    fetched = { ...range, pixel };
    if (isStopped) return;
    if (isUnseen(view)) {
      Object.assign(view, range);
      if (firstSpan !== null) showLast(view, firstSpan, Date.parse(answer.now));
    }
    told.got(answer, lanes);
  };
  const ensure = () => {
    if (!isBusy && (fetched === null || !serves(fetched, view, width()))) void ask();
  };
  const again = () => {
    isAskedAgain = isBusy;
    if (!isBusy) void ask();
  };
  return {
    ensure,
    again,
    stop: () => {
      isStopped = true;
    },
  };
}

/** Nothing was seen yet: the server chooses. */
function isUnseen({ to }: TimeView): boolean {
  return to === 0;
}

function wantedFor(view: TimeView, width: number): Fetched {
  return { ...fetchedFor(view), pixel: isUnseen(view) ? 0 : pixelOf(view, width) };
}

/** It is there, and what was put together then can't be told apart now either. */
function serves(fetched: Fetched, view: TimeView, width: number): boolean {
  return covers(fetched, view) && fetched.pixel <= Math.max(1, 2 * pixelOf(view, width));
}

function pathOf(wanted: Fetched): string {
  if (isUnseen(wanted)) return '/api/timeline';
  const { from, to, pixel } = wanted;
  return `/api/timeline?from=${iso(from)}&to=${iso(to)}&pixel=${pixel}`;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
