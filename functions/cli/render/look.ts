import pc from 'picocolors';
import type { RunState } from '../../domain/run.ts';

type Colors = ReturnType<typeof pc.createColors>;

/** How wide the terminal is, and whether it shows colours. */
export interface Look {
  readonly width: number;
  readonly colors: Colors;
}

const narrowest = 40;

/**
 * `columns`: of the terminal; undefined when the output goes elsewhere: then what COLUMNS says, which is `wanted`. NO_COLOR
 * and FORCE_COLOR are honoured.
 */
export function lookOf(columns: number | undefined, wanted = ''): Look {
  const width = columns ?? (/^[1-9]\d{0,3}$/.test(wanted) ? Number(wanted) : 120);
  return { width: Math.max(narrowest, width), colors: pc };
}

export function plainLook(width: number): Look {
  return { width, colors: pc.createColors(false) };
}

const tones: Record<RunState, keyof Pick<Colors, 'green' | 'red' | 'yellow' | 'cyan' | 'dim'>> = {
  offered: 'cyan',
  waiting: 'cyan',
  running: 'cyan',
  retrying: 'yellow',
  parked: 'yellow',
  succeeded: 'green',
  failed: 'red',
  canceled: 'dim',
  skipped: 'dim',
  missed: 'red',
};

export function stateText(state: RunState, { colors }: Look): string {
  return colors[tones[state]](state);
}
