import { runId } from '../../domain/names.ts';
import { openStates, type Run } from '../../domain/run.ts';
import type { Invariant, Violate, WorldView } from '../observe.ts';
import { allJobIds, everDeployed } from './models/deployed.ts';
import { recordsOf, stateText } from './models/records.ts';

export const allSettled: Invariant = {
  name: 'all-settled',
  rule: 'at rest every record is terminal or waits for a person, and the index has the open ones only',
  watch(violate, world) {
    return {
      async atRest(_at, ledger) {
        const runs: Run[] = [];
        for (const jobId of allJobIds(world)) runs.push(...(await recordsOf(ledger, jobId)));
        for (const run of runs) checkState(run, world, violate);
        const indexed = new Set((await ledger.open(Number.POSITIVE_INFINITY, runs.length + 1)).map(runId));
        for (const run of runs)
          if (isOpen(run) !== indexed.has(runId(run)))
            violate(
              `is ${stateText(run)}, and ${isOpen(run) ? 'not' : 'still'} in the index of open runs`,
              run,
            );
      },
    };
  },
};

function isOpen({ state }: Run): boolean {
  return openStates.some((open) => open === state);
}

function checkState(run: Run, world: WorldView, violate: Violate): void {
  if (!isOpen(run)) {
    if (run.settledAt === undefined) violate(`is ${stateText(run)} without an instant of settling`, run);
    return;
  }
  const mayPark = everDeployed(world, run.jobId).some(({ crashed }) => crashed === 'park');
  const isParked =
    run.state === 'parked' && (run.reason === 'uncertain-step' || (run.reason === 'crashed' && mayPark));
  if (!isParked && run.fireTime <= world.calmAt) violate(`is still ${stateText(run)} at rest`, run);
}
