import type { TimelineAnswer } from '../../data.ts';
import { covers, fetchedFor, isTooWide, type TimeView } from './time-view.ts';

/** Fetches `/api/timeline…`; without a range it answers the one that people look at first. */
export type LoadTimeline = (path: string) => Promise<TimelineAnswer>;

export interface RangeLoader {
  /** Asks for what is missing, if anything is and nothing is on its way. Cheap: it may be called for each frame. */
  readonly ensure: (view: TimeView) => void;
  /** Asks for the same again, since it has changed. */
  readonly again: (view: TimeView) => void;
  /** What comes now is for nobody. */
  readonly stop: () => void;
}

/** Keeps more of time at hand than is seen, with one request at a time. */
export function rangeLoader(
  load: LoadTimeline,
  told: { readonly got: (answer: TimelineAnswer) => void; readonly failed: (error: unknown) => void },
): RangeLoader {
  let fetched: (TimeView & { leftOut: number }) | null = null;
  let [isBusy, isStopped, isAskedAgain] = [false, false, false];
  const ask = async (view: TimeView) => {
    isBusy = true;
    const range = fetchedFor(view);
    try {
      got(view, await load(pathOf(view, range)));
    } catch (error) {
      // What failed is asked for again with the next change, not with the next frame.
      fetched = { ...range, leftOut: 0 };
      if (!isStopped) told.failed(error);
    }
    isBusy = false;
    if (isStopped) return;
    if (isAskedAgain) again(view);
    else ensure(view);
  };
  const got = (view: TimeView, answer: TimelineAnswer) => {
    const { from, to, leftOut } = answer;
    fetched = { from: Date.parse(from), to: Date.parse(to), leftOut };
    if (isStopped) return;
    if (isFirst(view)) Object.assign(view, { from: fetched.from, to: fetched.to });
    told.got(answer);
  };
  const ensure = (view: TimeView) => {
    if (isBusy) return;
    const lacksBars = fetched !== null && fetched.leftOut > 0 && isTooWide(fetched, view);
    if (fetched === null || !covers(fetched, view) || lacksBars) void ask(view);
  };
  const again = (view: TimeView) => {
    isAskedAgain = isBusy;
    if (!isBusy) void ask(view);
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
function isFirst({ to }: TimeView): boolean {
  return to === 0;
}

function pathOf(view: TimeView, { from, to }: TimeView): string {
  return isFirst(view) ? '/api/timeline' : `/api/timeline?from=${iso(from)}&to=${iso(to)}`;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
