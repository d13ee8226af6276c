import { second } from '../../domain/time.ts';
import { counted } from './text.ts';
import { spanText } from './times.ts';

export interface Screen {
  readonly write: (text: string) => void;
  /** Columns of the terminal; undefined: it is none. */
  readonly columns: number | undefined;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}

/** How far something is. */
export interface State {
  /** What it consists of: `seed`. */
  readonly noun: string;
  readonly done: number;
  readonly of: number;
  /** What else there is to say. */
  readonly note: string;
  /** When it began; only if what is left takes about as long as what is done, and the rest can be foretold. */
  readonly since?: number;
}

/** Tells how far a long command is. */
export interface Progress {
  readonly tell: (state: State) => void;
  /** Leaves the screen as it was. */
  readonly clear: () => void;
}

export const silent: Progress = { tell: () => {}, clear: () => {} };

/** A line that is written over on a terminal; elsewhere a line of its own every ten seconds. */
export function progressOn({ write, columns, now }: Screen): Progress {
  const everyMs = columns === undefined ? 10 * second : second / 10;
  let toldAt = columns === undefined ? now() : Number.NEGATIVE_INFINITY;
  return {
    tell: (state) => {
      if (now() - toldAt < everyMs) return;
      toldAt = now();
      const text = progressText(state, now());
      if (columns === undefined) write(`${text}\n`);
      else write(lineStart + `${barText(state.done / state.of)} ${text}`.slice(0, columns - 1));
    },
    clear: () => {
      if (columns !== undefined) write(lineStart);
    },
  };
}

const lineStart = '\r\u001b[K';
const barWidth = 20;

function barText(part: number): string {
  const full = Math.round(Math.min(1, part) * barWidth);
  return `▕${'█'.repeat(full)}${'░'.repeat(barWidth - full)}▏`;
}

/** `5 of 20 seeds · 1,200 deliveries · 30 s left` */
function progressText({ noun, done, of, note, since }: State, now: number): string {
  const isKnown = since !== undefined && done > 0 && done < of;
  const left = isKnown ? `${spanText(((now - since) / done) * (of - done))} left` : '';
  return [`${done.toLocaleString('en-US')} of ${counted(of, noun)}`, note, left]
    .filter((text) => text !== '')
    .join(' · ');
}
