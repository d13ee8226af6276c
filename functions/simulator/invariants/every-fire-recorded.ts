import type { SpecVersion } from '../../domain/job-state.ts';
import { fireKey, runId } from '../../domain/names.ts';
import { timetable } from '../../domain/schedule/index.ts';
import { second, toIso } from '../../domain/time.ts';
import type { Invariant, Violate, WorldView } from '../observe.ts';
import { allJobIds, oldCodeMs } from './models/deployed.ts';
import { recordsOf } from './models/records.ts';
import { Schedules } from './models/schedules.ts';

/** A deploy takes force by the reconciler's clock, which may be so far off. */
const skewMs = 30 * second;

export const everyFireRecorded: Invariant = {
  name: 'every-fire-recorded',
  rule: 'every instant that was due has its record, and besides those only what a person started',
  watch(violate, world) {
    const schedules = new Schedules(world);
    return {
      wroteJob(_at, before, after) {
        schedules.wroteJob(before, after);
      },
      // Asked when it is recorded: a version that takes force an instant later may no longer have it.
      wroteRun(_at, before, after) {
        if (before !== null || after === null || after.trigger === 'manual') return;
        const reign = schedules.reignAt(after.jobId, after.fireTime);
        if (!reign?.version.of?.timetable.has(after.fireTime)) violate('was recorded and is no fire', after);
        else if (reign.version.specId !== after.specId)
          violate('was recorded under another version of the schedule', after);
        if (after.key !== fireKey(after.fireTime)) violate('has a key that is not its instant', after);
      },
      async atRest(_at, ledger) {
        for (const jobId of allJobIds(world)) {
          const specs = await ledger.specs(jobId);
          checkHistory(jobId, specs, world, violate);
          const recorded = new Set((await recordsOf(ledger, jobId)).map(runId));
          for (const fireTime of expected(specs, world.calmAt)) {
            const ref = { jobId, key: fireKey(fireTime) };
            if (!recorded.has(runId(ref))) violate('was due and has no record', ref);
          }
        }
      },
    };
  },
};

/** `E` by brute force: each version on (from, the next one's from]. */
function* expected(specs: readonly SpecVersion[], until: number): Iterable<number> {
  for (const [index, { spec, from }] of specs.entries()) {
    const to = Math.min(specs[index + 1]?.from ?? Number.POSITIVE_INFINITY, until);
    if (spec !== null && from < to) yield* timetable(spec).between(from, to);
  }
}

/** The versions in force are those that were deployed, each while it was. */
function checkHistory(
  jobId: string,
  specs: readonly SpecVersion[],
  { deploys }: WorldView,
  violate: Violate,
): void {
  const idIn = (deploy: WorldView['deploys'][number] | undefined) =>
    deploy?.manifest.jobs.find((job) => job.id === jobId)?.specId ?? '';
  for (const { from, specId } of specs) {
    const isDeployed = deploys.some((deploy, index) => {
      const until = (deploys[index + 1]?.reconcilerAt ?? Number.POSITIVE_INFINITY) + oldCodeMs;
      return idIn(deploy) === specId && deploy.reconcilerAt - skewMs <= from && from <= until;
    });
    if (!isDeployed) violate(`a version of ${jobId} took force at ${toIso(from)} that was not deployed then`);
  }
  const inForce = specs.at(-1)?.specId ?? '';
  if (inForce !== idIn(deploys.at(-1))) violate(`the last version of ${jobId} never took force`);
}
