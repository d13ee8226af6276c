import type { Run } from '../../domain/run.ts';
import type { Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';
import { Transactions } from './models/transactions.ts';

export const slotSound: Invariant = {
  name: 'slot-sound',
  rule: "a job's slot names the one open run that has it; a run that is parked or settled has none, and of those that wait only one that waits for pools, or to be tried again",
  watch(violate) {
    const owners = new Map<string, string | undefined>();
    const holders = new Map<string, Set<string>>();
    const check = (jobId: string) => {
      const owner = owners.get(jobId);
      const held = holders.get(jobId) ?? new Set();
      for (const key of held)
        if (key !== owner)
          violate(`has the slot by its record, and its job says ${owner ?? 'none'}`, { jobId, key });
      if (owner !== undefined && !held.has(owner))
        violate('is named by the slot and does not have it', { jobId, key: owner });
    };
    const writes = new Transactions(check);
    return {
      wroteRun(at, before, after) {
        const run = after ?? before;
        if (run === null) return;
        const { jobId, key } = run;
        writes.wroteRun(at, jobId, () => {
          const held = holders.get(jobId) ?? new Set<string>();
          holders.set(jobId, held);
          if (after?.hasSlot) held.add(key);
          else held.delete(key);
        });
        if (after?.hasSlot && !mayHaveSlot(after)) violate(`is ${stateText(after)} and has the slot`, after);
      },
      wroteJob(at, _before, { jobId, slot }) {
        writes.wroteJob(at, jobId, () => owners.set(jobId, slot));
      },
      atRest() {
        writes.settle();
      },
    };
  },
};

function mayHaveSlot({ state, reason }: Run): boolean {
  if (state === 'waiting') return reason === 'pool';
  return state === 'running' || state === 'offered' || state === 'retrying';
}
