import type { RunState } from '../../../domain/run.ts';
import { barStates } from '../../data.ts';
import { forms, paintedInTurn } from './forms.ts';
import type { Found } from './hit.ts';
import type { PackedLane } from './packed.ts';
import { paintGroup } from './paint-group.ts';
import type { Palette } from './palette.ts';
import { firstTick, nextTick, tickStep } from './ticks.ts';
import { type TimeView, xOf } from './time-view.ts';

/** A canvas, in CSS pixels. */
export interface Sheet {
  readonly context: CanvasRenderingContext2D;
  width: number;
  height: number;
}

/** What a frame shows. Changed in place. */
export interface Scene {
  readonly view: TimeView;
  lanes: readonly PackedLane[];
  lines: readonly VerticalLine[];
  now: number;
  /** How far the lanes are scrolled, in pixels. */
  scrolled: number;
  /** The lane that the keyboard is on; -1: none. */
  lane: number;
  /** The run in it. */
  chosen: Pick<Found, 'start' | 'end'> | null;
  palette: Palette;
}

/** A change of the clocks or a deploy. */
export interface VerticalLine {
  readonly at: number;
  readonly kind: 'clock' | 'deploy';
  readonly text: string;
}

export const laneHeight = 24;
/** Between two ticks of the axis, in pixels. */
export const tickRoom = 84;

const place = { view: { from: 0, to: 1 }, width: 0, top: 0, height: laneHeight };
const turns = paintedInTurn.map((state: RunState) => ({
  form: forms[state],
  index: barStates.indexOf(state),
}));

/** One pass for each state: its colour is set once. */
export function paintLanes(sheet: Sheet, scene: Scene): void {
  const { context, width, height } = sheet;
  const { lanes, palette, scrolled } = scene;
  context.clearRect(0, 0, width, height);
  const first = Math.max(0, Math.floor(scrolled / laneHeight));
  const last = Math.min(lanes.length, Math.ceil((scrolled + height) / laneHeight));
  paintGround(sheet, scene, first, last);
  place.view = scene.view;
  place.width = width;
  context.lineWidth = 1.5;
  for (const { form, index } of turns) {
    context.fillStyle = palette.fills[index] ?? palette.faint;
    context.strokeStyle = palette.colours[index] ?? palette.faint;
    for (let lane = first; lane < last; lane += 1) {
      const group = lanes[lane]?.groups[index];
      if (group === undefined || group.starts.length === 0) continue;
      place.top = lane * laneHeight - scrolled;
      paintGroup(context, group, form, place);
    }
  }
  paintLines(sheet, scene);
  paintChosen(sheet, scene);
}

/** A frame around the run that the keyboard is on. */
function paintChosen({ context, width }: Sheet, { view, chosen, lane, scrolled, palette }: Scene): void {
  if (chosen === null) return;
  const left = Math.round(xOf(view, width, chosen.start)) - 3.5;
  const right = Math.round(xOf(view, width, chosen.end)) + 4.5;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.strokeRect(left, lane * laneHeight - scrolled + 0.5, right - left, laneHeight - 2);
}

function paintGround(
  { context, width, height }: Sheet,
  { view, palette, scrolled, lane }: Scene,
  first: number,
  last: number,
): void {
  context.fillStyle = palette.rule;
  for (let row = first; row < last; row += 1)
    context.fillRect(0, (row + 1) * laneHeight - scrolled - 1, width, 1);
  const step = tickStep(view, width, tickRoom);
  for (let tick = firstTick(view.from, step); tick <= view.to; tick = nextTick(tick, step))
    context.fillRect(Math.round(xOf(view, width, tick)), 0, 1, height);
  if (lane < first || lane >= last) return;
  context.globalAlpha = 0.12;
  context.fillStyle = palette.accent;
  context.fillRect(0, lane * laneHeight - scrolled, width, laneHeight - 1);
  context.globalAlpha = 1;
}

const dashes: Readonly<Record<VerticalLine['kind'], number[]>> = { clock: [2, 3], deploy: [7, 3] };
const unbroken: number[] = [];

function paintLines({ context, width, height }: Sheet, { view, lines, now, palette }: Scene): void {
  context.lineWidth = 1.5;
  context.strokeStyle = palette.text;
  for (const { at, kind } of lines) {
    if (at < view.from || at > view.to) continue;
    context.setLineDash(dashes[kind]);
    paintUpright(context, xOf(view, width, at), height);
  }
  context.setLineDash(unbroken);
  if (now < view.from || now > view.to) return;
  context.strokeStyle = palette.accent;
  paintUpright(context, xOf(view, width, now), height);
}

function paintUpright(context: CanvasRenderingContext2D, x: number, height: number): void {
  const sharp = Math.round(x) + 0.5;
  context.beginPath();
  context.moveTo(sharp, 0);
  context.lineTo(sharp, height);
  context.stroke();
}
