import type { SweepCounts } from '../reconciler/ports.ts';
import type { Handled } from '../runtime/runtime.ts';
import type { Fault } from './chaos.ts';
import type { Disturbed } from './disturbed.ts';

/** What happens in the local cloud, as it happens; instants in epoch milliseconds. */
export type CloudEvent =
  | {
      readonly kind: 'handled';
      readonly at: number;
      readonly jobId: string;
      /** What the invocation came to, and the id of the run it met. */
      readonly handled: Handled;
      readonly startedAt: number;
      readonly requestId: string;
    }
  /** Several deliveries of one fire that were refused, told as one; `run`: the run that the fire has. */
  | {
      readonly kind: 'duplicates';
      readonly at: number;
      readonly jobId: string;
      readonly run: string;
      readonly count: number;
    }
  | { readonly kind: 'swept'; readonly at: number; readonly counts: SweepCounts }
  | {
      readonly kind: 'died';
      readonly at: number;
      /** Absent: the reconciler's. */
      readonly jobId?: string;
      readonly requestId: string;
      readonly error: string;
    }
  | {
      readonly kind: 'log';
      readonly at: number;
      readonly jobId?: string;
      readonly requestId: string;
      readonly line: string;
    }
  /** Chaos struck. `ms`: how late, or how long after the start of the process. `count`: how many duplicates. */
  | ({
      readonly kind: 'chaos';
      readonly at: number;
      readonly fault: Fault;
      readonly ms?: number;
      readonly count?: number;
    } & Disturbed)
  /** What people are told of by mail once it is deployed. */
  | { readonly kind: 'letter'; readonly at: number; readonly subject: string; readonly text: string }
  | { readonly kind: 'notice'; readonly at: number; readonly text: string };

export type Tell = (event: CloudEvent) => void;
