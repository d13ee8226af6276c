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
  /** What may lie between two marks of its second axis. */
  readonly steps: readonly number[];
  /** The least that the top of its second axis is. */
  readonly top?: number;
  /** The ends of its first axis, in seconds. @default those of the data */
  readonly range?: readonly [from: number, to: number];
  readonly tags?: readonly Tag[];
  /** Told which point was clicked. */
  readonly pick?: (index: number) => void;
}

/** What a level line is called, written at its end. */
export interface Tag {
  readonly at: number;
  readonly text: string;
  readonly side: 'above' | 'below';
  readonly colour: () => string;
}

const height = 190;
/** Above the highest value, so that what is written there has room. */
const headroom = 1.16;

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

function optionsOf(props: ChartProps, width: number): uPlot.Options {
  const { timezone, lines, textOf, top = 0, range, pick, steps, tags = [] } = props;
  const [stroke, rule] = ['--faint', '--rule'].map((name) => colour(name)());
  const grid = { stroke: rule, width: 1 };
  const axis = { stroke, grid, ticks: grid, font } as uPlot.Axis;
  const values: uPlot.Axis = {
    ...{ ...axis, incrs: [...steps], size: widest },
    values: (_plot, marks) => marks.map((value) => (value === 0 ? '0' : textOf(value))),
  };
  return {
    ...{ width, height },
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), timezone),
    scales: {
      x: range === undefined ? {} : { range: [...range] },
      y: { range: (_plot, _min, max) => [0, Math.max(max, top) * headroom || 1] },
    },
    axes: [{ ...axis, values: clock }, values],
    series: [{}, ...lines],
    hooks: {
      draw: [(plot) => tags.forEach((tag) => void write(plot, tag))],
      ready: [
        ({ over, cursor }) =>
          over.addEventListener('click', () => {
            if (typeof cursor.idx === 'number') pick?.(cursor.idx);
          }),
      ],
    },
  };
}

const font = '12px system-ui, sans-serif';

/** By the distance of two marks in seconds: what each says, and what is added where the year or the day is another. */
const clock: (string | number | null)[][] = [
  [86_400 * 28, '{YYYY}-{MM}', null, null, null, null, null, null, 1],
  [86_400, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [1, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
];

const letterWidth = 7;
const gap = 18;

function widest(_plot: uPlot, marks: readonly string[] | null): number {
  return gap + letterWidth * Math.max(0, ...(marks ?? []).map(({ length }) => length));
}

function write({ ctx, bbox, valToPos }: uPlot, { at, text, side, colour: fill }: Tag): void {
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `${12 * ratio}px system-ui, sans-serif`;
  ctx.fillStyle = fill().trim();
  ctx.textAlign = 'right';
  ctx.textBaseline = side === 'above' ? 'bottom' : 'top';
  const away = (side === 'above' ? -3 : 4) * ratio;
  const [x, y] = [bbox.left + bbox.width - 4 * ratio, valToPos(at, 'y', true) + away];
  // What is drawn below must not make it unreadable.
  ctx.lineWidth = 4 * ratio;
  ctx.strokeStyle = colour('--panel')().trim();
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
  ctx.restore();
}

/** A colour of the page's, as it is now: a canvas knows no variables. */
export function colour(name: string): () => string {
  return () => getComputedStyle(document.documentElement).getPropertyValue(name);
}
