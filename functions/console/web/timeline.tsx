import { useEffect, useState } from 'preact/hooks';
import { NoJobs } from './parts/no-jobs.tsx';
import { Lanes } from './timeline/lanes.tsx';
import { Legend } from './timeline/legend.tsx';
import { poolHeight } from './timeline/pool-area.ts';
import type { LoadTimeline } from './timeline/range-loader.ts';
import { RunList } from './timeline/run-list.tsx';
import { zoneName } from './timeline/ticks.ts';
import { showLast, zoomBy } from './timeline/time-view.ts';
import { Tip } from './timeline/tip.tsx';
import { isWanted, spanOf, Toolbar, type Wanted } from './timeline/toolbar.tsx';
import { useChart } from './timeline/use-chart.ts';
import { useTheme } from './timeline/use-theme.ts';
import './timeline/timeline.css';

export interface TimelineProps {
  /** It must stay the same function: another one is another ledger. */
  readonly load: LoadTimeline;
  /** Grows with each change that the server tells of. */
  readonly changes: number;
  /** Of the route: `span=7d`. */
  readonly query: string;
}

/** What ran when: a lane for each job, and below them how much of each pool was held. */
export function TimelineView({ load, changes, query }: TimelineProps) {
  const { refs, chart, version, pointed, problem, answer } = useChart({
    ...{ load, changes },
    firstSpan: spanOf(query),
  });
  const theme = useTheme();
  const [wanted, want] = useState<Wanted>({ text: '', troubled: false });
  const [isListOpen, openList] = useState(false);
  const pools = answer?.pools ?? [];
  useEffect(() => chart.current?.filter((lane) => isWanted(lane, wanted)), [wanted]);
  useEffect(() => chart.current?.refit(), [theme, pools.length]);
  const show = (span: number) => {
    if (chart.current === null) return;
    const { view, now, repaint } = chart.current;
    showLast(view, span, now());
    repaint();
  };
  const zoom = (factor: number) => {
    if (chart.current === null) return;
    zoomBy(chart.current.view, factor, 0.5);
    chart.current.repaint();
  };
  const lanes = chart.current?.lanes() ?? [];
  return (
    <section class="timeline" aria-label="Timeline">
      <h1 class="hidden">Timeline</h1>
      <Toolbar {...{ wanted, want, show, zoom }} />
      {problem !== null && <p role="alert">{problem}</p>}
      {answer !== null && answer.leftOut > 0 && (
        <p role="status">{answer.leftOut} runs are left out, the oldest: zoom in to see all.</p>
      )}
      {answer?.lanes.length === 0 && <NoJobs />}
      <div class="timeline-grid">
        <div class="timeline-row timeline-axis">
          <span>{zoneName()}</span>
          <canvas ref={refs.axis} />
        </div>
        <Lanes refs={refs} chart={chart} lanes={lanes} />
        <div class="timeline-row timeline-pools">
          <ul>
            {pools.map(({ pool, capacity }) => (
              <li key={pool}>
                <a href={`#/pools/${pool}`}>{pool}</a> of {capacity}
              </li>
            ))}
          </ul>
          <canvas ref={refs.pools} style={{ height: `${pools.length * poolHeight}px` }} />
        </div>
      </div>
      <Tip pointed={pointed} />
      <Legend theme={theme} />
      <p class="timeline-hint" id="timeline-how-to">
        Drag, or ← →, moves in time; + − or ctrl and the wheel zooms. ↑ ↓ choose a job; then ← → choose a run
        of it, Enter opens it, Esc leaves it.
      </p>
      <details open={isListOpen} onToggle={({ currentTarget: { open } }) => openList(open)}>
        <summary>The runs in view as a list</summary>
        {isListOpen && chart.current !== null && (
          <RunList key={version} lanes={lanes} view={chart.current.view} />
        )}
      </details>
    </section>
  );
}
