import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { second } from '../../domain/time.ts';
import type { Body, Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';

const skewMs = 30 * second;

export const leaseOutlives: Invariant = {
  name: 'lease-outlives',
  rule: 'an execution is over before its lease is, by any clock; and nobody takes its run from it while it is alive',
  watch(violate) {
    const leases = new Map<string, readonly number[]>();
    const alive = new Map<string, Body>();
    return {
      wroteRun(_at, before, after) {
        if (after === null) return;
        const id = runId(after);
        leases.set(
          id,
          after.attempts.map(({ leaseUntil }) => leaseUntil),
        );
        const body = alive.get(id);
        if (body && leavesRunning(before, after))
          violate(`became ${stateText(after)} while attempt ${body.attempt} was alive`, after);
      },
      bodyBegan(_at, body) {
        alive.set(runId(body), body);
      },
      bodyEnded(at, body) {
        const id = runId(body);
        if (alive.get(id)?.number === body.number) alive.delete(id);
        const lease = leases.get(id)?.[body.attempt - 1];
        const left = lease === undefined ? -1 : lease - body.skewMs - skewMs - at;
        if (left < 0) violate(`attempt ${body.attempt} ended ${-left} ms after a clock called it dead`, body);
      },
    };
  },
};

function leavesRunning(before: Run | null, after: Run): boolean {
  return before?.state === 'running' && after.state !== 'running';
}
