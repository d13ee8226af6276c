import type { TimelineAnswer } from '../../data.ts';
import { type Found, foundAt } from './hit.ts';
import type { Cursor } from './keys.ts';
import type { PackedLane } from './packed.ts';
import { paintAxis } from './paint-axis.ts';
import { laneHeight, paintLanes, type Scene, type Sheet, type VerticalLine } from './paint-lanes.ts';
import { readPalette } from './palette.ts';
import { type PackedPool, packPool, paintPools } from './pool-area.ts';
import { fitSheet, sheetOf } from './sheet.ts';
import { instantAt, type TimeView, xOf } from './time-view.ts';

export interface ChartPlaces {
  readonly axis: HTMLCanvasElement;
  readonly lanes: HTMLCanvasElement;
  readonly pools: HTMLCanvasElement;
}

/** The three canvases, and what they show. */
export interface Chart {
  readonly view: TimeView;
  /** The lanes that are shown, by what a person looks for. */
  readonly lanes: () => readonly PackedLane[];
  readonly now: () => number;
  readonly show: (answer: TimelineAnswer, lanes: readonly PackedLane[]) => void;
  /** Shows some lanes only. */
  readonly filter: (isShown: (lane: PackedLane) => boolean) => void;
  readonly scrollTo: (top: number) => void;
  /** Where the keyboard is. */
  readonly choose: (cursor: Cursor) => void;
  /** What lies at a place of the lanes' canvas. */
  readonly at: (x: number, y: number) => Found | VerticalLine | null;
  readonly width: () => number;
  /** The theme or a size has changed. */
  readonly refit: () => void;
  /** Paints with the next frame; however often it is called, once. */
  readonly repaint: () => void;
  readonly stop: () => void;
}

const slackPx = 4;

/** Null: this browser paints nothing; the list of runs is still there. */
export function createChart(
  places: ChartPlaces,
  { view, painted }: { readonly view: TimeView; readonly painted: () => void },
): Chart | null {
  const [axis, lanes, pools] = [sheetOf(places.axis), sheetOf(places.lanes), sheetOf(places.pools)];
  if (axis === null || lanes === null || pools === null) return null;
  const palette = readPalette(places.lanes);
  const scene: Scene = { ...emptyScene, view, palette, now: Date.now() };
  let all: readonly PackedLane[] = [];
  let packedPools: readonly PackedPool[] = [];
  let isShown: (lane: PackedLane) => boolean = () => true;
  let frame = 0;
  let unmarked: TimelineAnswer | null = null;
  const paint = () => {
    frame = 0;
    paintAxis(axis, scene);
    paintLanes(lanes, scene);
    paintPools(pools, packedPools, scene);
    if (unmarked !== null) markPainted(unmarked);
    unmarked = null;
    painted();
  };
  const repaint = () => {
    if (frame === 0) frame = requestAnimationFrame(paint);
  };
  const refit = () => {
    for (const sheet of [axis, lanes, pools]) fitSheet(sheet);
    scene.palette = readPalette(places.lanes);
    repaint();
  };
  return {
    ...{ view, refit, repaint },
    lanes: () => scene.lanes,
    now: () => scene.now,
    show: (answer, lanes) => {
      all = lanes;
      scene.lanes = all.filter(isShown);
      scene.lines = answer.lines.map((line) => ({ ...line, at: Date.parse(line.at) }));
      scene.now = Date.parse(answer.now);
      packedPools = answer.pools.map(packPool);
      unmarked = answer;
      repaint();
    },
    filter: (wanted) => {
      isShown = wanted;
      scene.lanes = all.filter(isShown);
      repaint();
    },
    scrollTo: (top) => {
      scene.scrolled = top;
      repaint();
    },
    choose: ({ lane, found }) => {
      scene.lane = lane;
      scene.chosen = found;
      repaint();
    },
    at: (x, y) => whatLiesAt(scene, lanes, x, y),
    width: () => lanes.width,
    stop: () => cancelAnimationFrame(frame),
  };
}

const emptyScene = { lanes: [], lines: [], scrolled: 0, lane: -1, chosen: null };

/** For whoever measures the page: an answer is painted for the first time. Of each kind one mark is kept. */
function markPainted({ from, to }: TimelineAnswer): void {
  performance.clearMarks('timeline painted');
  performance.mark('timeline painted', { detail: { from, to } });
}

function whatLiesAt(scene: Scene, { width }: Sheet, x: number, y: number): Found | VerticalLine | null {
  const { view, lanes, lines, scrolled } = scene;
  const lane = lanes[Math.floor((y + scrolled) / laneHeight)];
  const slack = instantAt(view, width, slackPx) - view.from;
  const found = lane === undefined ? null : foundAt(lane, instantAt(view, width, x), slack);
  const near = lines.find(({ at }) => Math.abs(xOf(view, width, at) - x) <= slackPx);
  return found ?? near ?? null;
}
