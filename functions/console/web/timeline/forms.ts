import type { RunState } from '../../../domain/run.ts';

/** How a state is told apart without its colour. */
export interface Form {
  /** Of the lane's height. */
  readonly height: number;
  readonly fill: 'solid' | 'hatched' | 'striped' | 'hollow';
  /** What it is where it has no length. */
  readonly mark: 'cross' | 'diamond' | 'ring';
  /** So wide at least, in pixels: what a person must not miss is seen from afar. */
  readonly leastWidth: number;
}

export const forms: Readonly<Record<RunState, Form>> = {
  succeeded: { height: 0.5, fill: 'solid', mark: 'diamond', leastWidth: 1 },
  failed: { height: 0.9, fill: 'hatched', mark: 'diamond', leastWidth: 3 },
  canceled: { height: 0.5, fill: 'hollow', mark: 'diamond', leastWidth: 3 },
  skipped: { height: 0.5, fill: 'hollow', mark: 'ring', leastWidth: 3 },
  missed: { height: 0.7, fill: 'hollow', mark: 'cross', leastWidth: 3 },
  running: { height: 0.7, fill: 'solid', mark: 'diamond', leastWidth: 3 },
  waiting: { height: 0.2, fill: 'striped', mark: 'ring', leastWidth: 3 },
  offered: { height: 0.2, fill: 'solid', mark: 'ring', leastWidth: 3 },
  retrying: { height: 0.7, fill: 'striped', mark: 'diamond', leastWidth: 3 },
  parked: { height: 0.9, fill: 'striped', mark: 'diamond', leastWidth: 4 },
};

/** What a person must see lies on top. */
export const paintedInTurn: readonly RunState[] = [
  ...(['succeeded', 'skipped', 'offered', 'waiting', 'canceled'] as const),
  ...(['running', 'retrying', 'missed', 'failed', 'parked'] as const),
];
