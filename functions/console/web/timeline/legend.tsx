import { useEffect, useRef } from 'preact/hooks';
import type { RunState } from '../../../domain/run.ts';
import { type Bar, barStates } from '../../data.ts';
import { forms } from './forms.ts';
import { packGroup } from './packed.ts';
import { paintGroup } from './paint-group.ts';
import { readPalette } from './palette.ts';
import { fitSheet, sheetOf } from './sheet.ts';

const swatch = { width: 22, height: 16 };

/** Each state as the lanes paint it, with its name. `theme` grows when the colours change. */
export function Legend({ theme }: { theme: number }) {
  return (
    <ul class="timeline-legend" aria-label="Legend">
      {barStates.map((state) => (
        <li key={state}>
          <Swatch state={state} theme={theme} /> {state}
        </li>
      ))}
    </ul>
  );
}

function Swatch({ state, theme }: { state: RunState; theme: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current !== null && theme >= 0) paintSwatch(canvas.current, state);
  }, [state, theme]);
  return <canvas ref={canvas} />;
}

/** What never ran is a mark; one that was canceled may have run. */
function placesOf(state: RunState): [start: number, end: number][] {
  if (state === 'missed' || state === 'skipped') return [[11, 11]];
  return state === 'canceled'
    ? [
        [0, 11],
        [17, 17],
      ]
    : [[3, 20]];
}

function paintSwatch(canvas: HTMLCanvasElement, state: RunState): void {
  const sheet = sheetOf(canvas);
  if (sheet === null) return;
  fitSheet(sheet);
  const { context } = sheet;
  const { fills, colours, faint } = readPalette(canvas);
  const index = barStates.indexOf(state);
  context.clearRect(0, 0, swatch.width, swatch.height);
  context.fillStyle = fills[index] ?? faint;
  context.strokeStyle = colours[index] ?? faint;
  context.lineWidth = 1.5;
  const bars = placesOf(state).map(([start, end]): Bar => ['', start / 1_000, end / 1_000, index]);
  const group = packGroup(bars);
  paintGroup(context, group, forms[state], { view: { from: 0, to: 22 }, top: 0, ...swatch });
}
