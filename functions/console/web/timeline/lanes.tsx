import { useMemo, useRef, useState } from 'preact/hooks';
import { jobRoute } from '../router.ts';
import type { Chart } from './chart.ts';
import { type Cursor, pressKey } from './keys.ts';
import { openFound } from './open-found.ts';
import type { PackedLane } from './packed.ts';
import { laneHeight } from './paint-lanes.ts';
import type { ChartRefs } from './use-chart.ts';
import { foundText } from './words.ts';

interface LanesProps {
  readonly refs: ChartRefs;
  readonly chart: { readonly current: Chart | null };
  readonly lanes: readonly PackedLane[];
}

/** The jobs' names, and beside them the canvas, which scrolls with them. */
export function Lanes({ refs, chart, lanes }: LanesProps) {
  const cursor = useRef<Cursor>({ lane: -1, found: null });
  const [spoken, speak] = useState('');
  const chosen = cursor.current.lane;
  // The same until one of them changes: answers come while a hand pans.
  const names = useMemo(() => <Names lanes={lanes} chosen={chosen} />, [idsOf(lanes), chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const made = chart.current;
    if (made === null) return;
    const { found } = cursor.current;
    if (event.key === 'Enter' && found !== null) openFound(found, made);
    if (!pressKey(event, made, cursor.current)) return;
    event.preventDefault();
    event.stopPropagation();
    made.choose(cursor.current);
    scrollToLane(refs.scroller.current, cursor.current.lane);
    speak(cursorText(cursor.current, made.lanes()));
  };
  return (
    <>
      <div class="timeline-scroll" ref={refs.scroller}>
        <div class="timeline-row">
          {names}
          <div class="timeline-stage">
            <canvas
              ref={refs.lanes}
              aria-label="Runs in time"
              aria-describedby="timeline-how-to"
              tabIndex={0}
              onKeyDown={onKeyDown}
            />
          </div>
        </div>
      </div>
      <p class="timeline-said" role="status">
        {spoken}
      </p>
    </>
  );
}

function idsOf(lanes: readonly PackedLane[]): string {
  return lanes.map(({ jobId }) => jobId).join(' ');
}

function Names({ lanes, chosen }: { readonly lanes: readonly PackedLane[]; readonly chosen: number }) {
  return (
    <ul class="timeline-names">
      {lanes.map(({ jobId }, index) => (
        <li key={jobId} class={index === chosen ? 'is-chosen' : ''}>
          <a href={jobRoute(jobId)} title={jobId}>
            {jobId}
          </a>
        </li>
      ))}
    </ul>
  );
}

function scrollToLane(scroller: HTMLElement | null, lane: number): void {
  if (scroller === null || lane < 0) return;
  const top = lane * laneHeight;
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop) scroller.scrollTop = top;
  else if (top + laneHeight > scrollTop + clientHeight) scroller.scrollTop = top + laneHeight - clientHeight;
}

function cursorText({ lane, found }: Cursor, lanes: readonly PackedLane[]): string {
  if (found !== null) return foundText(found);
  const jobId = lanes[lane]?.jobId;
  return jobId === undefined ? '' : `${jobId}: ← → choose a run`;
}
