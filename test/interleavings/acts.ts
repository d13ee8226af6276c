import type { Manifest } from '../../functions/domain/manifest.ts';
import { second } from '../../functions/domain/time.ts';
import { at } from '../support/jobs.ts';
import type { Luck } from './process.ts';

/** Everything is told in seconds from here. */
export const noon = at('12:00');

export function fromNoon(seconds: number): number {
  return noon + seconds * second;
}

/** What a job's code does once it is started. */
export interface Body {
  /** Others go on in between so often. */
  readonly steps: number;
  /** Seconds. */
  readonly sleeps: number;
  /** `stops`: once its signal aborts. `hangs`: it ignores that. `dies`: its process does. */
  readonly ends: 'returns' | 'throws' | 'stops' | 'hangs' | 'dies';
}

/** An invocation of a job's function. */
export interface Invoked {
  readonly luck: Luck;
  readonly body: Body;
  /** Seconds between being asked for and its begin. */
  readonly delay: number;
}

/** What begins `at` so many seconds from noon. `deploy`: the version of everything that it goes by. */
export type Act = { readonly at: number; readonly luck: Luck } & (
  | {
      readonly kind: 'delivery';
      readonly deploy: number;
      readonly jobId: string;
      readonly fire: number;
      readonly body: Body;
    }
  | { readonly kind: 'sweep'; readonly deploy: number }
  | { readonly kind: 'release'; readonly jobId: string; readonly fire: number; readonly as: 'rerun' | 'fail' }
  | { readonly kind: 'cancel'; readonly jobId: string; readonly fire: number }
  | { readonly kind: 'pause' | 'resume'; readonly jobId: string }
);

/** A world as it was drawn. */
export interface Script {
  /** Each version. The first is in force when everything begins, the last when everything is over. */
  readonly deploys: readonly Manifest[];
  readonly acts: readonly Act[];
  /** How each offer in turn is invoked: not at all, once or twice. After the last: once, without trouble. */
  readonly offers: readonly (readonly Invoked[])[];
  /** Seconds that pass between steps; `next`: up to the next instant at which something is to happen. */
  readonly jumps: readonly (number | 'next')[];
  /** So many nudges reach the reconciler. */
  readonly nudges: number;
}
