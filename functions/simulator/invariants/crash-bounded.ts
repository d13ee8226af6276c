import type { ManifestJob } from '../../domain/manifest.ts';
import type { Run, RunState } from '../../domain/run.ts';
import type { Invariant, WorldView } from '../observe.ts';
import { versionsAt } from './models/deployed.ts';
import { stateText } from './models/records.ts';

const mostCrashes = 3;

export const crashBounded: Invariant = {
  name: 'crash-bounded',
  rule: 'a crashed run becomes what its job says: parked, or run again until it has crashed three times, resumed so often since its last hop; canceled, if that was asked for; only so, or by a person, it is begun anew',
  watch(violate, world) {
    return {
      wroteRun(at, before, after, byOperator) {
        if (after === null) return;
        const crashes = crashesOf(after);
        const anew = (after.restarts ?? 0) - (before?.restarts ?? 0);
        if (anew !== 0 && !(anew === 1 && mayBeginAnew(before, after, { at, world, byOperator })))
          violate(`was begun anew ${anew} times, and nobody wanted that`, after);
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
  const crashes = job.crashed === 'resume' ? crashesSinceHop(run) : crashesOf(run);
  return crashes >= mostCrashes ? ['failed'] : ['offered', 'waiting'];
}

/** A crash without headway: one that is resumed has come so far by its last hop. */
function crashesSinceHop({ attempts }: Run): number {
  const hop = attempts.findLastIndex(({ outcome }) => outcome === 'continued');
  return attempts.slice(hop + 1).filter(({ outcome }) => outcome === 'crashed').length;
}

/** By a crash whose job says `rerun`, or by the word of a person. */
function mayBeginAnew(
  before: Run | null,
  after: Run,
  { at, world, byOperator }: { at: number; world: WorldView; byOperator: boolean },
): boolean {
  if (byOperator) return before?.state === 'parked' && after.released?.as === 'rerun';
  const isCrash = crashesOf(after) > crashesOf(before);
  return isCrash && versionsAt(world, after.jobId, at).some((job) => job?.crashed === 'rerun');
}
