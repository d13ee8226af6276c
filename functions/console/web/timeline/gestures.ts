/** What fingers, mouse and wheel ask of a timeline. Places are pixels from the left and the top of the element. */
export interface Gestures {
  readonly pan: (dx: number, dy: number) => void;
  /** `factor` below 1: nearer. */
  readonly zoom: (factor: number, x: number) => void;
  readonly point: (x: number, y: number) => void;
  readonly leave: () => void;
  readonly press: (x: number, y: number) => void;
}

/** So far a pointer may go between down and up, and still have pressed. */
const pressSlack = 4;
const wheelRate = 0.0015;

/** Listens to pointers and the wheel; returns what ends it. `wheelZooms`: without a key, too, where nothing is to be scrolled. */
export function listenForGestures(
  element: HTMLElement,
  gestures: Gestures,
  { wheelZooms = false } = {},
): () => void {
  const ended = new AbortController();
  const listening = { signal: ended.signal };
  const pointers = trackPointers(element, gestures);
  element.addEventListener('pointerdown', pointers.down, listening);
  element.addEventListener('pointermove', pointers.move, listening);
  element.addEventListener('pointerup', pointers.up, listening);
  element.addEventListener('pointercancel', pointers.cancel, listening);
  element.addEventListener('pointerleave', gestures.leave, listening);
  element.addEventListener('wheel', (event) => onWheel(event, element, { ...gestures, wheelZooms }), {
    ...listening,
    passive: false,
  });
  return () => ended.abort();
}

/** Ctrl or ⌘ (so does a pinch on a touchpad) zooms; sideways pans; else the lanes scroll as a page does. */
function onWheel(
  event: WheelEvent,
  element: HTMLElement,
  { pan, zoom, wheelZooms }: Gestures & { wheelZooms: boolean },
): void {
  const { deltaX, deltaY, ctrlKey, metaKey, shiftKey } = event;
  if (ctrlKey || metaKey || (wheelZooms && deltaX === 0)) {
    event.preventDefault();
    zoom(Math.exp(deltaY * (Math.abs(deltaY) < 20 ? 5 : 1) * wheelRate), placeOf(event, element).x);
    return;
  }
  const sideways = shiftKey && deltaX === 0 ? deltaY : deltaX;
  if (Math.abs(sideways) <= (shiftKey ? 0 : Math.abs(deltaY))) return;
  event.preventDefault();
  pan(-sideways, 0);
}

interface Place {
  x: number;
  y: number;
}

function placeOf({ clientX, clientY }: MouseEvent, element: HTMLElement): Place {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

function trackPointers(element: HTMLElement, { pan, zoom, point, press }: Gestures) {
  const down = new Map<number, Place>();
  let travelled = 0;
  const dragged = (held: Place, { x, y }: Place) => {
    travelled += Math.abs(x - held.x) + Math.abs(y - held.y);
    if (travelled > pressSlack) pan(x - held.x, y - held.y);
  };
  /** Two fingers: their distance zooms, and where they are pans. */
  const pinched = (held: Place, to: Place, other: Place) => {
    travelled = pressSlack + 1;
    const before = Math.abs(held.x - other.x);
    const after = Math.abs(to.x - other.x);
    if (before > 1 && after > 1) zoom(before / after, other.x);
  };
  return {
    down: (event: PointerEvent) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      if (down.size === 0) travelled = 0;
      down.set(event.pointerId, placeOf(event, element));
    },
    move: (event: PointerEvent) => {
      const to = placeOf(event, element);
      const held = down.get(event.pointerId);
      if (held === undefined) return point(to.x, to.y);
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      if (other === undefined) dragged(held, to);
      else pinched(held, to, other);
      held.x = to.x;
      held.y = to.y;
    },
    up: (event: PointerEvent) => {
      const held = down.get(event.pointerId);
      down.delete(event.pointerId);
      if (held !== undefined && down.size === 0 && travelled <= pressSlack) press(held.x, held.y);
    },
    cancel: (event: PointerEvent) => void down.delete(event.pointerId),
  };
}
