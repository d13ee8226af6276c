import type { Clock } from '../domain/ports.ts';
import { AlarmClock, type Alarmed, type Ring } from './alarm-clock.ts';

export interface Schedulers {
  /** Rings no more. Alarms due after `since` and up to `until` have rung. */
  stop(): { since: number; until: number };
}

/**
 * So many alarm clocks side by side, by the real clock: each fire is delivered by every one of them. `since`: they ring for
 * what was due after this, unless it is too old for them.
 */
export function startSchedulers<Target>(
  alarms: readonly Alarmed<Target>[],
  {
    instances,
    since,
    clock,
    ring,
  }: { instances: number; since: number; clock: Clock; ring: (ring: Ring<Target>) => void },
): Schedulers {
  const clocks = Array.from({ length: instances }, () => new AlarmClock(alarms, since));
  let until = since;
  let timer: NodeJS.Timeout;
  const tick = () => {
    const now = clock();
    until = now;
    for (const one of clocks) for (const due of one.tick(now)) ring(due);
    timer = setTimeout(tick, Math.min(...clocks.map((one) => one.nap(clock()))));
  };
  tick();
  return {
    stop: () => {
      clearTimeout(timer);
      return { since, until };
    },
  };
}
