import type { ManifestJob } from '../../domain/manifest.ts';
import type { Run, RunState } from '../../domain/run.ts';
import type { Invariant, WorldView } from '../observe.ts';
import { versionsAt } from './models/deployed.ts';
import { stateText } from './models/records.ts';

const mostCrashes = 3;

export const crashBounded: Invariant = {
  name: 'crash-bounded',
  rule: 'a crashed run becomes what its job says: parked, or run again until it has crashed three times; canceled, if that was asked for',
  watch(violate, world) {
    return {
      wroteRun(at, before, after) {
        if (after === null) return;
        const crashes = crashesOf(after);
        if (crashes !== after.crashes)
          violate(`counts ${after.crashes} crashes, and ${crashes} attempts crashed`, after);
        if (crashes <= crashesOf(before)) return;
        const expected = expectedAfter(after, at, world);
        if (!expected.has(after.state))
          violate(
            `after ${crashes} crashes is ${stateText(after)}, not ${[...expected].join(' or ')}`,
            after,
          );
      },
    };
  },
};

function crashesOf(run: Run | null): number {
  return run?.attempts.filter(({ outcome }) => outcome === 'crashed').length ?? 0;
}

function expectedAfter(run: Run, at: number, world: WorldView): ReadonlySet<RunState> {
  if (run.cancelRequested !== undefined) return new Set(['canceled']);
  return new Set(versionsAt(world, run.jobId, at).flatMap((job) => expectedBy(job, run)));
}

function expectedBy(job: ManifestJob | null, run: Run): RunState[] {
  if (job === null) return ['canceled'];
  if (job.crashed === 'park') return ['parked'];
  return crashesOf(run) >= mostCrashes ? ['failed'] : ['offered', 'waiting'];
}
