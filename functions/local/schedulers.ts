import type { Clock } from '../domain/ports.ts';
import { AlarmClock, type Alarmed, type Ring } from './alarm-clock.ts';

export interface Schedulers {
  /** Rings no more. Returns the instant of the last tick: alarms up to it have rung. */
  stop(): number;
}

/** So many alarm clocks side by side, by the real clock: each fire is delivered by every one of them. */
export function startSchedulers<Target>(
  alarms: readonly Alarmed<Target>[],
  { instances, clock, ring }: { instances: number; clock: Clock; ring: (ring: Ring<Target>) => void },
): Schedulers {
  const clocks = Array.from({ length: instances }, () => new AlarmClock(alarms, clock()));
  let lastTick = clock();
  let timer: NodeJS.Timeout;
  const tick = () => {
    const now = clock();
    lastTick = now;
    for (const one of clocks) for (const due of one.tick(now)) ring(due);
    timer = setTimeout(tick, Math.min(...clocks.map((one) => one.nap(clock()))));
  };
  tick();
  return {
    stop: () => {
      clearTimeout(timer);
      return lastTick;
    },
  };
}
