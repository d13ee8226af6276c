import { runId } from '../../domain/names.ts';
import type { Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';

export const parkedStays: Invariant = {
  name: 'parked-stays',
  rule: 'what waits for a person is moved by a person alone, unless its job is removed; until then nothing of it runs',
  watch(violate) {
    const parked = new Set<string>();
    return {
      wroteRun(_at, before, after, byOperator) {
        if (after === null) return;
        const id = runId(after);
        const isRemoval = after.state === 'canceled' && after.reason === 'removed';
        if (before?.state === 'parked' && after.state !== 'parked' && !byOperator && !isRemoval)
          violate(`was parked and became ${stateText(after)} by itself`, after);
        if (after.state === 'parked') parked.add(id);
        else if (byOperator) parked.delete(id);
      },
      bodyBegan(_at, body) {
        if (parked.has(runId(body)))
          violate(`attempt ${body.attempt} began though nobody released the run`, body);
      },
    };
  },
};
