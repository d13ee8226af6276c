import { describe, expect, it } from 'vitest';
import { minute, second } from '../../../functions/domain/time.ts';
import { catchUpRate } from '../../../functions/simulator/invariants/catch-up-rate.ts';
import { due, job, run, watched, worldOf } from './watched.ts';

/** So many missed fires are admitted, one each `everyMs`, at a rate of one a minute. */
function admitted(count: number, everyMs: number, reason: 'catch-up' | 'slot' = 'catch-up') {
  const told = watched(catchUpRate, worldOf([{ ...job, missed: { ...job.missed, ratePerMinute: 1 } }]));
  for (let index = 0; index < count; index += 1) {
    const fireTime = due + index * minute;
    const before = run({ fireTime, state: 'waiting', reason });
    told.wroteRun(due + index * everyMs, before, run({ fireTime, state: 'offered' }), false);
  }
  return told.broken;
}

describe("a job's missed fires are admitted within its rate", () => {
  it('holds for one a minute, and for three where a minute of true time touches three of the clocks', () => {
    expect(admitted(10, minute)).toEqual([]);
    expect(admitted(3, second)).toEqual([]);
  });
  it('holds for what waits for its slot alone', () => expect(admitted(10, second, 'slot')).toEqual([]));
  it('is broken by a fourth within a minute', () =>
    expect(admitted(4, second)).toEqual([
      expect.stringContaining('is number 4 that was admitted in a minute'),
    ]));
});
