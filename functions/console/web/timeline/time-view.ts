const hourMs = 3_600_000;

/** What is seen of time, epoch milliseconds. It is changed in place: while panning no frame makes anything anew. */
export interface TimeView {
  from: number;
  to: number;
}

export const shortestMs = hourMs;
export const longestMs = 30 * 24 * hourMs;

/** Where an instant lies, in pixels from the left. */
export function xOf({ from, to }: TimeView, width: number, at: number): number {
  return ((at - from) / (to - from)) * width;
}

/** The instant at a place. */
export function instantAt({ from, to }: TimeView, width: number, x: number): number {
  return from + (x / width) * (to - from);
}

/** Moves by a part of what is seen; 1: all of it. */
export function panBy(view: TimeView, part: number): void {
  const by = part * (view.to - view.from);
  view.from += by;
  view.to += by;
}

/** Shows `factor` times as much; the instant at `anchor` (0: left, 1: right) stays where it is. */
export function zoomBy(view: TimeView, factor: number, anchor: number): void {
  const before = view.to - view.from;
  const span = Math.min(longestMs, Math.max(shortestMs, before * factor));
  view.from += anchor * (before - span);
  view.to = view.from + span;
}

/** Shows so much of time until now, and a little of what is to come. */
export function showLast(view: TimeView, span: number, now: number): void {
  view.to = now + span / 20;
  view.from = view.to - span;
}

/** Shows a stretch of time, with as much again around it. */
export function lookCloser(
  view: TimeView,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  const span = Math.min(longestMs, Math.max(shortestMs, 2 * (end - start)));
  view.from = (start + end - span) / 2;
  view.to = view.from + span;
}

/** How much time one pixel is, in whole seconds. */
export function pixelOf({ from, to }: TimeView, width: number): number {
  return Math.floor((to - from) / 1_000 / Math.max(1, width));
}

const longMs = 48 * hourMs;

/** So much more than is seen is kept at hand, on either side. */
function marginOf({ from, to }: TimeView): number {
  const span = to - from;
  return span > longMs ? span / 4 : span / 2;
}

/** A range of whole seconds that is fetched for a view: wider, so that a little panning asks for nothing. */
export function fetchedFor(view: TimeView): TimeView {
  const margin = marginOf(view);
  const { from, to } = view;
  return { from: Math.floor((from - margin) / 1_000) * 1_000, to: Math.ceil((to + margin) / 1_000) * 1_000 };
}

/** Whether a view is in what was fetched, and still some way from its ends. */
export function covers(fetched: TimeView, view: TimeView): boolean {
  const near = marginOf(view) / 4;
  return fetched.from <= view.from - near && fetched.to >= view.to + near;
}
