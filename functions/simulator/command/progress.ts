import { counted } from '../../cli/render/text.ts';
import { spanText } from '../../cli/render/times.ts';
import { second } from '../../domain/time.ts';

export interface Screen {
  readonly write: (text: string) => void;
  /** Columns of the terminal; undefined: it is none. */
  readonly columns: number | undefined;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}

/** Tells how far a long command is. */
export interface Progress {
  /** `parts` of `whole` are done; `note`: what else there is to say. */
  readonly tell: (label: string, parts: number, whole: number, note: string) => void;
  /** Leaves the screen as it was. */
  readonly clear: () => void;
}

export const silent: Progress = { tell: () => {}, clear: () => {} };

/** A line that is written over on a terminal; elsewhere a line of its own every ten seconds. */
export function progressOn(screen: Screen): Progress {
  const { write, columns, now } = screen;
  const everyMs = columns === undefined ? 10 * second : 100;
  let toldAt = columns === undefined ? now() : Number.NEGATIVE_INFINITY;
  const startedAt = new Map<string, number>();
  return {
    tell: (label, parts, whole, note) => {
      const start = startedAt.get(label) ?? now();
      startedAt.set(label, start);
      if (now() - toldAt < everyMs) return;
      toldAt = now();
      const text = progressText({ label, parts, whole, note, tookMs: now() - start });
      if (columns === undefined) write(`${text}\n`);
      else write(lineStart + `${barText(parts / whole)} ${text}`.slice(0, columns - 1));
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

function progressText({
  label,
  parts,
  whole,
  note,
  tookMs,
}: {
  label: string;
  parts: number;
  whole: number;
  note: string;
  tookMs: number;
}): string {
  const left = parts === 0 || parts >= whole ? '' : `${spanText((tookMs / parts) * (whole - parts))} left`;
  return [`${parts.toLocaleString('en-US')} of ${counted(whole, label)}`, note, left]
    .filter((text) => text !== '')
    .join(' · ');
}
