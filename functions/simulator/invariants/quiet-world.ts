import { runId } from '../../domain/names.ts';
import type { Reason, Run } from '../../domain/run.ts';
import { second } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';

/** A sweep comes by each minute, and takes its time. */
const promptMs = 75 * second;

export const quietWorld: Invariant = {
  name: 'quiet-world',
  rule: 'where nothing is disturbed every fire runs once and in its minute, unless it is excepted, or its job or its pools are busy',
  watch(violate, world) {
    if (!world.isUndisturbed) return {};
    const queued = new Set<string>();
    return {
      bodyBegan(at, body) {
        const lateMs = at - body.fireTime;
        if (lateMs > promptMs && body.attempt === 1 && !queued.has(runId(body)))
          violate(`began ${lateMs} ms after it was due`, body);
        if (body.tries > 1) violate(`began as try ${body.tries}`, body);
      },
      wroteRun(_at, _before, after) {
        if (after === null) return;
        if (after.reason === 'slot' || after.reason === 'pool') queued.add(runId(after));
        if (!isQuiet(after)) violate(`is ${stateText(after)}, and nothing was disturbed`, after);
      },
    };
  },
};

const busyOrExcepted: readonly Reason[] = ['overlap', 'superseded', 'waited-too-long', 'excluded'];

function isQuiet({ state, reason }: Run): boolean {
  if (state === 'skipped') return reason !== undefined && busyOrExcepted.includes(reason);
  if (state === 'canceled') return reason === 'superseded';
  if (state === 'waiting') return reason === 'slot' || reason === 'pool';
  return state === 'offered' || state === 'running' || state === 'succeeded';
}
