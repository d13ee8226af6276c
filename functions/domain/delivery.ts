import type { Timetable } from './schedule/index.ts';
import { floorToMinute, fromIso, second } from './time.ts';

/** A delivery may be this early: clocks differ by up to 30 s. */
export const earliestMs = 30 * second;

export type StrayCause =
  | 'early'
  | 'late'
  | 'off-schedule'
  | 'unreadable-time'
  | 'other-spec'
  /** A fire, but its job's slot is a dead run's, about which the reconciler has yet to decide. */
  | 'dead-slot'
  /** A fire, but its job is paused until then, and the reconciler has yet to end that. */
  | 'pause-over';

export type Judgement =
  | { readonly kind: 'fire'; readonly fireTime: number }
  | { readonly kind: 'stray'; readonly cause: StrayCause; readonly scheduledTime: number | null };

/**
 * Whether an alarm's delivery may create a run: its instant is in `E` and now is within [fireTime − 30 s,
 * fireTime + grace]. `scheduledTime` is the text that EventBridge put in; a placeholder that arrived as it was means the
 * latest fire at or before now.
 */
export function judgeDelivery(
  scheduledTime: string,
  { timetable, graceMs, now }: { timetable: Timetable; graceMs: number; now: number },
): Judgement {
  const fireTime = scheduledTime.startsWith('<')
    ? timetable.previous(now + 1)
    : floorOrNull(fromIso(scheduledTime));
  if (fireTime === null) return { kind: 'stray', cause: 'unreadable-time', scheduledTime: null };
  if (!timetable.has(fireTime)) return { kind: 'stray', cause: 'off-schedule', scheduledTime: fireTime };
  if (now < fireTime - earliestMs) return { kind: 'stray', cause: 'early', scheduledTime: fireTime };
  if (now > fireTime + graceMs) return { kind: 'stray', cause: 'late', scheduledTime: fireTime };
  return { kind: 'fire', fireTime };
}

function floorOrNull(instant: number | null): number | null {
  return instant === null ? null : floorToMinute(instant);
}
