import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../timeline/use-theme.ts';

export interface ChartProps {
  /** What it shows, for those who don't see it. */
  readonly label: string;
  /** In whose wall time its first axis is. */
  readonly timezone: string;
  /** Instants in seconds, ascending; then the values of each line. */
  readonly data: uPlot.AlignedData;
  readonly lines: readonly uPlot.Series[];
  readonly textOf: (value: number) => string;
  /** The least that the top of its second axis is. */
  readonly top?: number;
  /** Told which point was clicked. */
  readonly pick?: (index: number) => void;
}

const height = 190;

/** Lines over time. Drawn anew with the theme, and as wide as its place. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const at = place.current;
    if (at === null) return;
    const plot = new uPlot(optionsOf(props, at.clientWidth), props.data, at);
    const fitted = new ResizeObserver(() => plot.setSize({ width: at.clientWidth, height }));
    fitted.observe(at);
    return () => {
      fitted.disconnect();
      plot.destroy();
    };
  }, [theme, props.data]);
  return <div class="chart" ref={place} role="img" aria-label={props.label} />;
}

function optionsOf({ timezone, lines, textOf, top = 0, pick }: ChartProps, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const [stroke, rule] = ['--faint', '--rule'].map((name) => style.getPropertyValue(name));
  const grid = { stroke: rule, width: 1 };
  const axis = { stroke, grid, ticks: grid, font: '12px system-ui, sans-serif' } as uPlot.Axis;
  return {
    ...{ width, height },
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), timezone),
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(max, top) * 1.08 || 1] } },
    axes: [axis, { ...axis, size: 64, values: (_plot, values) => values.map(textOf) }],
    series: [{}, ...lines],
    hooks: {
      ready: [
        ({ over, cursor }) =>
          over.addEventListener('click', () => {
            if (typeof cursor.idx === 'number') pick?.(cursor.idx);
          }),
      ],
    },
  };
}

/** A colour of the page's, as it is now: a canvas knows no variables. */
export function colour(name: string): () => string {
  return () => getComputedStyle(document.documentElement).getPropertyValue(name);
}
