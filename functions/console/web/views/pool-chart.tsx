import uPlot from 'uplot';
import type { PoolAnswer } from '../../data.ts';
import { Chart, colour } from '../parts/chart.tsx';
import { ownZone } from '../parts/wall.ts';

const stepped = uPlot.paths.stepped?.({ align: 1 });
const second = 1_000;
/** A pool has whole units. */
const steps = [1, 2, 5]
  .flatMap((first) => [1, 10, 100, 1_000].map((tens) => first * tens))
  .sort((a, b) => a - b);

type PoolChartProps = Pick<PoolAnswer, 'use' | 'from' | 'to'>;

/** How much of a pool was held, against what there is. */
export function PoolChart({ use: { capacity, held }, ...range }: PoolChartProps) {
  const [from, to] = [range.from, range.to].map((at) => Math.floor(Date.parse(at) / second)) as [
    number,
    number,
  ];
  const last = held.at(-1)?.[1];
  if (last === undefined) return <p class="faint">Nobody held any of it.</p>;
  const most = Math.max(...held.map(([, amount]) => amount));
  // Nothing is held before the first who does, and what is held last is held to the end.
  const points = [[from, 0] as const, ...held, [to, last] as const];
  const lines = [
    {
      ...{ stroke: colour('--accent'), width: 1, points: { show: false } },
      fill: () => `${colour('--accent')().trim()}33`,
      ...(stepped && { paths: stepped }),
    },
    { stroke: colour('--bad'), dash: [5, 5], width: 1.5, points: { show: false } },
  ];
  return (
    <figure>
      <figcaption>
        <span class="key held">held, at most {most}</span>{' '}
        <span class="key capacity dashed">capacity {capacity}</span>
      </figcaption>
      <Chart
        label={`How much of it was held: at most ${most} of ${capacity}, in the end ${last}`}
        timezone={ownZone()}
        data={[points.map(([at]) => at), points.map(([, amount]) => amount), points.map(() => capacity)]}
        lines={lines}
        tags={[{ at: capacity, text: 'capacity', side: 'above', colour: colour('--bad') }]}
        range={[from, to]}
        top={capacity}
        steps={steps}
        textOf={String}
      />
    </figure>
  );
}
