import type { Chart } from './chart.ts';
import { type Gestures, listenForGestures } from './gestures.ts';
import type { Found } from './hit.ts';
import { openFound } from './open-found.ts';
import type { VerticalLine } from './paint-lanes.ts';
import { panBy, zoomBy } from './time-view.ts';
import type { Pointed } from './use-chart.ts';

/** Lets hands move the chart; returns what ends it. */
export function feel(
  chart: Chart,
  places: { lanes: HTMLElement; axis: HTMLElement; scroller: HTMLElement },
  setPointed: (pointed: Pointed | null) => void,
): () => void {
  const { lanes, axis, scroller } = places;
  let last: Found | VerticalLine | null = null;
  const point = (on: Found | VerticalLine | null, x: number, y: number) => {
    if (on === null && last === null) return;
    last = on;
    const { left, top } = lanes.getBoundingClientRect();
    setPointed(on === null ? null : { on, x: left + x, y: top + y });
  };
  const gestures: Gestures = {
    pan: (dx, dy) => {
      point(null, 0, 0);
      panBy(chart.view, -dx / Math.max(1, chart.width()));
      if (dy !== 0) scroller.scrollTop -= dy;
      chart.repaint();
    },
    zoom: (factor, x) => {
      point(null, 0, 0);
      zoomBy(chart.view, factor, x / Math.max(1, chart.width()));
      chart.repaint();
    },
    point: (x, y) => point(chart.at(x, y), x, y),
    leave: () => point(null, 0, 0),
    press: (x, y) => {
      const on = chart.at(x, y);
      point(null, 0, 0);
      if (on !== null && 'jobId' in on) openFound(on, chart);
    },
  };
  const stops = [
    listenForGestures(lanes, gestures),
    listenForGestures(axis, { ...gestures, point: () => {}, press: () => {} }, { wheelZooms: true }),
  ];
  const scrolled = () => chart.scrollTo(scroller.scrollTop);
  scroller.addEventListener('scroll', scrolled, { passive: true });
  return () => {
    for (const stop of stops) stop();
    scroller.removeEventListener('scroll', scrolled);
  };
}
