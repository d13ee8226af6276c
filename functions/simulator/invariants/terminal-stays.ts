import { isDeepStrictEqual } from 'node:util';
import type { Run } from '../../domain/run.ts';
import { hour } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';
import { isTerminal, stateText } from './models/records.ts';

/** The scheduler tries for a day, Lambda keeps an event for six hours more: a record that is gone by then claims nothing. */
const longestRedeliveryMs = 30 * hour;

export const terminalStays: Invariant = {
  name: 'terminal-stays',
  rule: 'a terminal record never changes but by a person; only its refused deliveries are still counted',
  watch(violate) {
    return {
      wroteRun(at, before, after, byOperator) {
        if (before === null || byOperator) return;
        if (after === null) {
          if (at < before.fireTime + longestRedeliveryMs || !isTerminal(before))
            violate(`was ${stateText(before)}, and its record is gone`, before);
          return;
        }
        if (!isTerminal(before) || isSame(before, after)) return;
        violate(`was ${stateText(before)} and became ${stateText(after)}`, after);
      },
    };
  },
};

function isSame(before: Run, after: Run): boolean {
  if (after.duplicates < before.duplicates) return false;
  return isDeepStrictEqual({ ...after, duplicates: 0 }, { ...before, duplicates: 0 });
}
