import uPlot from 'uplot';
import type { PoolUse } from '../../data.ts';
import { Chart, colour } from '../parts/chart.tsx';
import { ownZone } from '../parts/wall.ts';

const stepped = uPlot.paths.stepped?.({ align: 1 });

/** How much of a pool was held, against what there is. */
export function PoolChart({ use: { capacity, held } }: { readonly use: PoolUse }) {
  const last = held.at(-1);
  if (last === undefined) return <p class="faint">Nobody has held any of it.</p>;
  const most = Math.max(...held.map(([, amount]) => amount));
  // What holds now holds up to now.
  const points = [...held, [Math.max(last[0], Math.floor(Date.now() / 1000)), last[1]] as const];
  const lines = [
    {
      ...{ label: 'held', stroke: colour('--accent'), width: 2, points: { show: false } },
      fill: () => `${colour('--accent')().trim()}33`,
      ...(stepped && { paths: stepped }),
    },
    { label: 'capacity', stroke: colour('--bad'), dash: [5, 5], width: 1.5, points: { show: false } },
  ];
  return (
    <figure>
      <figcaption>
        <span class="key line">held</span>, at most {most}; <span class="key dashed">capacity</span>{' '}
        {capacity}
      </figcaption>
      <Chart
        label={`How much of it was held: at most ${most} of ${capacity}, now ${last[1]}`}
        timezone={ownZone()}
        data={[points.map(([at]) => at), points.map(([, amount]) => amount), points.map(() => capacity)]}
        lines={lines}
        top={capacity}
        textOf={String}
      />
    </figure>
  );
}
