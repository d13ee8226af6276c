import type { JobAnswer } from '../../data.ts';
import { Chart, colour } from '../parts/chart.tsx';
import { spanText } from '../parts/texts.ts';
import { runRoute } from '../router.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Of clocks, not of tens. */
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12, 24, 48].map((count) => count * hour),
];

/** How long its successes took, oldest first, against the usual. */
export function JobTrend({ durations, medianMs, p95Ms, timezone }: JobAnswer) {
  if (durations.length === 0 || medianMs === null || p95Ms === null)
    return <p class="faint">It has not succeeded yet.</p>;
  const level = (ms: number, dash: number[]) => ({
    line: { stroke: colour('--warn'), width: 1.5, dash, points: { show: false } },
    values: durations.map(() => ms),
  });
  const [median, p95] = [level(medianMs, []), level(p95Ms, [5, 5])];
  const took = {
    ...{ stroke: colour('--accent'), width: 0, paths: () => null },
    points: { show: true, size: 6, fill: colour('--accent') },
  };
  const open = (index: number) => {
    const run = durations[index];
    if (run !== undefined) location.hash = runRoute(run.id);
  };
  return (
    <figure>
      <figcaption>
        <span class="key dot">each of its last {durations.length} successes</span>{' '}
        <span class="key usual">median {spanText(medianMs)}</span>{' '}
        <span class="key usual dashed">p95 {spanText(p95Ms)}</span>
      </figcaption>
      <Chart
        label={`How long its last ${durations.length} successes took: half up to ${spanText(medianMs)}, 95 % up to ${spanText(p95Ms)}, the newest ${spanText(durations.at(-1)?.ms ?? 0)}. The recent runs below have each in text.`}
        timezone={timezone}
        data={[
          durations.map(({ fireTime }) => Date.parse(fireTime) / 1000),
          durations.map(({ ms }) => ms),
          median.values,
          p95.values,
        ]}
        lines={[took, median.line, p95.line]}
        tags={[
          { at: medianMs, text: 'median', side: 'below', colour: colour('--warn') },
          { at: p95Ms, text: 'p95', side: 'above', colour: colour('--warn') },
        ]}
        steps={steps}
        textOf={spanText}
        pick={open}
      />
    </figure>
  );
}
