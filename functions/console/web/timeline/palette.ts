import type { RunState } from '../../../domain/run.ts';
import { barStates } from '../../data.ts';
import { forms } from './forms.ts';

type Ink = string | CanvasPattern;

/** The page's colours, read once for each theme. */
export interface Palette {
  /** For each of `barStates`. */
  readonly colours: readonly string[];
  /** What its bars are filled with. */
  readonly fills: readonly Ink[];
  readonly ground: string;
  readonly text: string;
  readonly faint: string;
  readonly rule: string;
  readonly accent: string;
}

/** @param element one that the theme's variables are in force for */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  const ground = read('--ground', '#ffffff');
  const colours = barStates.map((state) => read(`--${state}`, '#777777'));
  return {
    ...{ colours, ground },
    fills: barStates.map((state, index) => fillOf(state, colours[index] ?? ground, ground)),
    text: read('--text', '#222222'),
    faint: read('--faint', '#666666'),
    rule: read('--rule', '#dddddd'),
    accent: read('--accent', '#3366cc'),
  };
}

function fillOf(state: RunState, colour: string, ground: string): Ink {
  const { fill } = forms[state];
  return fill === 'hatched' || fill === 'striped' ? pattern(fill, colour, ground) : colour;
}

const tile = 6;

/** Lines in the colour of the ground over the state's own: aslant, or upright. */
function pattern(kind: 'hatched' | 'striped', colour: string, ground: string): Ink {
  const canvas = document.createElement('canvas');
  canvas.width = tile;
  canvas.height = tile;
  const context = canvas.getContext('2d');
  if (context === null) return colour;
  context.fillStyle = colour;
  context.fillRect(0, 0, tile, tile);
  context.strokeStyle = ground;
  context.lineWidth = 1.25;
  context.globalAlpha = 0.75;
  const slant = kind === 'hatched' ? tile : 0;
  for (const x of [-tile, 0, tile]) {
    context.beginPath();
    context.moveTo(x + slant, 0);
    context.lineTo(x, tile);
    context.stroke();
  }
  return context.createPattern(canvas, 'repeat') ?? colour;
}
