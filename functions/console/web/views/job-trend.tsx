import type { JobAnswer } from '../../data.ts';
import { Chart, colour } from '../parts/chart.tsx';
import { spanText } from '../parts/texts.ts';
import { runRoute } from '../router.ts';

/** How long its successes took, oldest first, against the usual. */
export function JobTrend({ durations, medianMs, p95Ms, timezone }: JobAnswer) {
  if (durations.length === 0 || medianMs === null || p95Ms === null)
    return <p class="faint">It has not succeeded yet.</p>;
  const usual = (name: string, ms: number, dash: number[]) => ({
    line: { label: name, stroke: colour('--warn'), width: 1.5, dash, points: { show: false } },
    values: durations.map(() => ms),
  });
  const [median, p95] = [usual('median', medianMs, []), usual('p95', p95Ms, [5, 5])];
  const took = {
    ...{ label: 'took', stroke: colour('--accent'), width: 0, paths: () => null },
    points: { show: true, size: 6, fill: colour('--accent') },
  };
  const open = (index: number) => {
    const run = durations[index];
    if (run !== undefined) location.hash = runRoute(run.id);
  };
  return (
    <figure>
      <figcaption>
        {durations.length} successes; <span class="key line">median</span> {spanText(medianMs)},{' '}
        <span class="key dashed">95 %</span> up to {spanText(p95Ms)}
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
        textOf={spanText}
        pick={open}
      />
    </figure>
  );
}
