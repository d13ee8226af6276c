import type { Chart } from './chart.ts';
import type { Found } from './hit.ts';
import { lookCloser } from './time-view.ts';
import { routeOf } from './words.ts';

/** Opens a run; of several that can't be told apart it shows each. */
export function openFound(found: Found, { view, repaint }: Pick<Chart, 'view' | 'repaint'>): void {
  if (found.runs === 1) {
    location.hash = routeOf(found);
    return;
  }
  lookCloser(view, found);
  repaint();
}
