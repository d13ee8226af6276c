import { useEffect, useRef, useState } from 'preact/hooks';
import { type Chart, createChart } from './chart.ts';
import { feel } from './feel.ts';
import type { Found } from './hit.ts';
import type { VerticalLine } from './paint-lanes.ts';
import { type LoadTimeline, type RangeLoader, rangeLoader } from './range-loader.ts';
import type { TimeView } from './time-view.ts';

/** What the pointer is on, and where the tooltip goes. */
export interface Pointed {
  readonly on: Found | VerticalLine;
  readonly x: number;
  readonly y: number;
}

/** What was seen last: whoever comes back from a run finds the same again. Unknown (0) until the first answer. */
const unseen: TimeView = { from: 0, to: 0 };
const view: TimeView = { ...unseen };

/** Where on the page the chart is. */
export type ChartRefs = ReturnType<typeof useChart>['refs'];

const settledMs = 200;

interface ChartFeed {
  readonly load: LoadTimeline;
  readonly changes: number;
  /** How much of time is shown at first; null: as it was left. */
  readonly firstSpan: number | null;
}

/** The chart on its canvases, with what it is fed by and what it reacts to. `version` grows when what it shows has settled. */
export function useChart({ load, changes, firstSpan }: ChartFeed) {
  const axis = useRef<HTMLCanvasElement>(null);
  const lanes = useRef<HTMLCanvasElement>(null);
  const pools = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const loader = useRef<RangeLoader | null>(null);
  const [version, setVersion] = useState(0);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [answer, setAnswer] = useState<Awaited<ReturnType<LoadTimeline>> | null>(null);
  useEffect(() => {
    if (!axis.current || !lanes.current || !pools.current || !scroller.current) return;
    const settled = whenQuiet(settledMs, () => setVersion((count) => count + 1));
    const made = createChart(
      { axis: axis.current, lanes: lanes.current, pools: pools.current },
      {
        view,
        painted: () => {
          loader.current?.ensure();
          settled.touch();
        },
      },
    );
    if (made === null) return setProblem('This browser paints no canvas; the list below has the same runs.');
    chart.current = made;
    if (firstSpan !== null) Object.assign(view, unseen);
    loader.current = rangeLoader(load, {
      view,
      width: made.width,
      firstSpan,
      got: (got, lanes) => {
        made.show(got, lanes);
        setAnswer(got);
        setProblem(null);
      },
      failed: (error) => setProblem(error instanceof Error ? error.message : String(error)),
    });
    loader.current.ensure();
    const stopListening = feel(
      made,
      { lanes: lanes.current, axis: axis.current, scroller: scroller.current },
      setPointed,
    );
    const resized = new ResizeObserver(() => made.refit());
    for (const canvas of [axis.current, lanes.current, pools.current]) resized.observe(canvas);
    return () => {
      loader.current?.stop();
      stopListening();
      resized.disconnect();
      settled.stop();
      made.stop();
    };
  }, [load, firstSpan]);
  useEffect(() => {
    if (changes > 0) loader.current?.again();
  }, [changes]);
  return { refs: { axis, lanes, pools, scroller }, chart, version, pointed, problem, answer };
}

/** Does something once nothing has touched it for a while. */
function whenQuiet(ms: number, act: () => void): { touch: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  return {
    stop,
    touch: () => {
      stop();
      timer = setTimeout(act, ms);
    },
  };
}
