import type { Sheet } from './paint-lanes.ts';

/** A canvas as big as its place on the page, sharp on every screen. Null: this browser paints nothing. */
export function sheetOf(canvas: HTMLCanvasElement): Sheet | null {
  const context = canvas.getContext('2d');
  return context === null ? null : { context, width: 0, height: 0 };
}

/** Takes over the size that the page gives it; a canvas whose size is set is empty, so only where it changed. */
export function fitSheet(sheet: Sheet): void {
  const { canvas } = sheet.context;
  const { clientWidth, clientHeight } = canvas;
  const ratio = window.devicePixelRatio || 1;
  const [wide, high] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
  sheet.width = clientWidth;
  sheet.height = clientHeight;
  if (canvas.width === wide && canvas.height === high) return;
  canvas.width = wide;
  canvas.height = high;
  sheet.context.setTransform(ratio, 0, 0, ratio, 0, 0);
}
