import type { Dst, Schedule } from '../../domain/schedule/index.ts';

/** Whose schedules they were: what else holds for them depends on it. */
export type System = 'cron' | 'Kubernetes' | 'EventBridge';

/** One schedule as it stands in somebody else's file. */
export interface Found {
  readonly system: System;
  /** Counted from 1. */
  readonly line: number;
  /** What it is called there, folders before a `/`; a job id is made of it. */
  readonly name: string;
  readonly description?: string;
  /** May hold what the engine refuses. */
  readonly schedules: readonly Schedule[];
  /** Absent: that of the machine that ran it. */
  readonly timezone?: string;
  /** The first and the last local time that count. */
  readonly from?: string;
  readonly until?: string;
  /** What its system does when the clocks change; absent where that is what ours does. */
  readonly dst?: Dst;
  /** What it ran, for people; of one or more lines. */
  readonly ran: string;
  readonly overlap: 'skip' | 'allow';
  readonly graceMs?: number;
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
  /** Why it isn't running now, if so. */
  readonly off?: string;
  /** What of it doesn't carry over, a sentence each. */
  readonly lost: readonly string[];
}

/** Something that looks like a schedule and can't become a job. */
export interface Refused {
  readonly line: number;
  /** As it stands there. */
  readonly what: string;
  readonly why: string;
}

/** What one file holds. */
export interface Reading {
  readonly found: readonly Found[];
  readonly refused: readonly Refused[];
}

/** A file, or a part of one, that can't be read as what it seems to be. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  /** Counted from 1; null when it is the file as a whole. */
  readonly line: number | null;

  constructor(message: string, line: number | null = null) {
    super(message);
    this.line = line;
  }
}
