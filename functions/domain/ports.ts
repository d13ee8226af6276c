import type { Run } from './run.ts';

/** Epoch milliseconds. */
export type Clock = () => number;

/** 24 random hex digits. */
export type DrawToken = () => string;

/** Starts a job's Lambda asynchronously with an offer (the token it carries, the attempt it will be); resolves once it is accepted, rejects when it was not. */
export interface Invoker {
  invoke(offered: Pick<Run, 'jobId' | 'key' | 'token' | 'attempts'>): Promise<void>;
}

/** Asks the reconciler to look now instead of at its next minute. Best effort: a lost nudge costs one sweep. */
export interface Nudger {
  nudge(why: string, delaySeconds?: number): Promise<void>;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log lines; the implementation adds level, time and its own context. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
