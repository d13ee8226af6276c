import type { Chart } from './chart.ts';
import { type Found, foundWithin } from './hit.ts';
import { panBy, zoomBy } from './time-view.ts';

/** Where the keyboard is: a lane, and a run in it. */
export interface Cursor {
  lane: number;
  found: Found | null;
}

/** What a key does to the timeline; false: nothing, it is for the browser. */
export function pressKey(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
  { view, lanes }: Chart,
  cursor: Cursor,
): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight': {
      const way = key === 'ArrowLeft' ? -1 : 1;
      if (shiftKey) panBy(view, way * 0.5);
      else if (cursor.lane < 0) panBy(view, way * 0.1);
      else stepTo(cursor, way, { view, lanes });
      return true;
    }
    case 'ArrowUp':
    case 'ArrowDown':
      moveLane(cursor, key === 'ArrowUp' ? -1 : 1, lanes().length);
      return true;
    case '+':
    case '=':
      zoomBy(view, 0.5, 0.5);
      return true;
    case '-':
      zoomBy(view, 2, 0.5);
      return true;
    case 'Escape':
      if (cursor.lane < 0) return false;
      moveLane(cursor, -cursor.lane - 1, lanes().length);
      return true;
    default:
      return false;
  }
}

function moveLane(cursor: Cursor, by: number, count: number): void {
  cursor.lane = Math.max(-1, Math.min(count - 1, cursor.lane + by));
  cursor.found = null;
}

/** To the run before or after; beyond the edge of what is seen time moves along. */
function stepTo(cursor: Cursor, way: number, { view, lanes }: Pick<Chart, 'view' | 'lanes'>): void {
  const lane = lanes()[cursor.lane];
  if (lane === undefined) return;
  const span = view.to - view.from;
  const { found } = cursor;
  const runs = foundWithin(lane, view.from - span, view.to + span);
  const isBeyond = ({ start }: Found) =>
    found === null ? start >= view.from && start <= view.to : way * (start - found.start) > 0;
  const next = way > 0 ? runs.find(isBeyond) : runs.findLast(isBeyond);
  if (next === undefined) panBy(view, way * 0.1);
  else cursor.found = next;
  if (next !== undefined && (next.start < view.from || next.start > view.to)) panBy(view, way * 0.5);
}
