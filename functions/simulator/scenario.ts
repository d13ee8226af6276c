import type { Manifest } from '../domain/manifest.ts';

/** A stretch of true time: epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A version of the working copy, and when its deploy reached each part. */
export interface Deploy {
  readonly manifest: Manifest;
  readonly reconcilerAt: number;
  readonly functionsAt: number;
  readonly alarmsAt: number;
}

/** What a person is going to do. */
export type PlannedAct =
  | { readonly kind: 'pause'; readonly jobId: string; readonly at: number; readonly until: number }
  | { readonly kind: 'trigger'; readonly jobId: string; readonly at: number }
  /** Of its next open run. */
  | { readonly kind: 'cancel'; readonly jobId: string; readonly at: number };

/** What a simulation lays out before it begins. */
export interface Scenario {
  readonly from: number;
  /** Until then it is disturbed. */
  readonly until: number;
  /** By their reconciler's moment; the first is there from the beginning. */
  readonly deploys: readonly Deploy[];
  readonly reconcilerOutages: readonly Span[];
  /** Of alarm clock, reconciler and queue. */
  readonly outages: readonly Span[];
  /** In which the store answers nobody. */
  readonly storeOutages: readonly Span[];
  readonly acts: readonly PlannedAct[];
  /** What a person decides about every parked run, after a while. @default as chance has it */
  readonly parked?: 'rerun' | 'fail';
  /** All clocks are ahead of the true time by something in this range. */
  readonly skew: { readonly least: number; readonly most: number };
  /** Requests to the store take up to so long. */
  readonly paceMs: number;
}

export function within(instant: number, spans: readonly Span[]): boolean {
  return spans.some(({ from, to }) => from <= instant && instant < to);
}
