import type { Manifest } from '../domain/manifest.ts';
import { second } from '../domain/time.ts';
import { closeDays } from './close-days.ts';
import { NoticeBoard } from './notice-board.ts';
import type { Compiled } from './observe.ts';
import type { ReconcilerPorts, SweepCounts } from './ports.ts';
import { Tally } from './tally.ts';
import { turn } from './turn.ts';

/** A turn is not begun with less time than this left. */
const reserveMs = 15 * second;
/** Missed fires that were just recorded are started by a sweep that can see all of them in the index. */
const lookAgainSeconds = 5;

export interface SweepOptions {
  readonly compiled: Compiled;
  readonly remainingMs: () => number;
  /**
   * Looks again and again, within its time, while a run waits for its job's slot. A job that is due every minute has it
   * taken whenever the minute's sweep comes by, so that looking once would never find it free. @default false
   */
  readonly patient?: boolean;
  /** What people are to be told of already. @default nothing */
  readonly board?: NoticeBoard;
}

/**
 * One sweep: turns until nothing of a backlog is left or the time is nearly up. Between turns the lease is free, so
 * that a nudged sweep never waits for a long one. Days are closed between them. Null: another sweep is at it, or is to be.
 */
export async function sweep(
  ports: ReconcilerPorts,
  manifest: Manifest,
  { compiled, remainingMs, patient = false, board = new NoticeBoard() }: SweepOptions,
): Promise<SweepCounts | null> {
  const tally = new Tally(board);
  let last: SweepCounts | null = null;
  do {
    const report = await turn(ports, manifest, { compiled, tally });
    if (report.kind !== 'done') break;
    last = tally.counts(report.gauges);
    await closeDays(ports, report.closing, () => remainingMs() > reserveMs);
    if (report.backlogLeft) continue;
    if (!patient || !report.startsSoon) break;
    await ports.sleep(lookAgainSeconds * second);
  } while (remainingMs() > reserveMs);
  if (last === null) return null;
  await ports.metrics.report(last);
  if (last.waiting > 0) await ports.nudger.nudge('missed fires wait for their turn', lookAgainSeconds);
  return last;
}
