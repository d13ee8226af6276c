import type { RunRef } from './names.ts';
import type { Run } from './run.ts';

/** Epoch milliseconds. */
export type Clock = () => number;

/** 24 random hex digits. */
export type DrawToken = () => string;

/** Starts a job's Lambda asynchronously with an offer (the token it carries, the attempt it will be); resolves once it is accepted, rejects when it was not. */
export interface Invoker {
  invoke(offered: Pick<Run, 'jobId' | 'key' | 'token' | 'attempts'>): Promise<void>;
}

/** A word to the reconciler. Best effort: never rejects. */
export interface Nudger {
  /** Asks it to look now instead of at its next minute. A lost nudge costs one sweep. */
  nudge(why: string, delaySeconds?: number): Promise<void>;
  /** A run that people are to be told of: it failed, or waits for a person. When this is lost, only the ledger tells it. */
  announce(ended: RunRef, delaySeconds?: number): Promise<void>;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log lines; the implementation adds level, time and its own context. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
