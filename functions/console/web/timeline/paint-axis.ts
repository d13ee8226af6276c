import { type Scene, type Sheet, tickRoom } from './paint-lanes.ts';
import { firstTick, nextTick, tickStep, tickText } from './ticks.ts';
import { xOf } from './time-view.ts';

const font = '12px system-ui, sans-serif';
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
    context.fillText(tickText(tick), xOf(view, width, tick) + 4, low);
  const high = height * 0.26;
  context.fillStyle = palette.text;
  let free = 0;
  for (const { at, kind } of lines) {
    const x = xOf(view, width, at);
    if (at < view.from || at > view.to || x < free) continue;
    context.fillText(labelWords[kind], x + 4, high);
    free = x + 48;
  }
  if (now < view.from || now > view.to) return;
  context.fillStyle = palette.accent;
  context.textAlign = 'center';
  context.fillText('now', xOf(view, width, now), high);
}
