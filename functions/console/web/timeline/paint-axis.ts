import { type Scene, type Sheet, tickRoom } from './paint-lanes.ts';
import { firstTick, nextTick, tickStep, tickText } from './ticks.ts';
import { xOf } from './time-view.ts';

const font = '12px system-ui, sans-serif';
const letterPx = 6.2;
const lineLabelPx = 48;
const nowLabelPx = 30;
const labelWords: Readonly<Record<'clock' | 'deploy', string>> = { clock: 'clocks', deploy: 'deploy' };

/** The times above the lanes, and what each line across them is. */
export function paintAxis({ context, width, height }: Sheet, { view, lines, now, palette }: Scene): void {
  context.clearRect(0, 0, width, height);
  context.font = font;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillStyle = palette.faint;
  const step = tickStep(view, width, tickRoom);
  const low = height * 0.72;
  for (let tick = firstTick(view.from, step); tick <= view.to; tick = nextTick(tick, step))
    paintWhole(context, tickText(tick), xOf(view, width, tick) + 4, low, width);
  const high = height * 0.26;
  context.fillStyle = palette.text;
  const nowX = xOf(view, width, now);
  let free = 0;
  for (const { at, kind } of lines) {
    const x = xOf(view, width, at);
    if (at < view.from || at > view.to || x < free || Math.abs(x - nowX + lineLabelPx / 2) < lineLabelPx)
      continue;
    paintWhole(context, labelWords[kind], x + 4, high, width);
    free = x + lineLabelPx;
  }
  if (now < view.from || now > view.to) return;
  context.fillStyle = palette.accent;
  context.textAlign = 'center';
  context.fillText('now', Math.min(Math.max(nowX, nowLabelPx / 2), width - nowLabelPx / 2), high);
}

/** No text is cut off at the edge. */
function paintWhole(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  width: number,
): void {
  if (x + text.length * letterPx <= width) context.fillText(text, x, y);
}
