import { ConfigError, mostJobStacks } from '../functions/config.ts';
import type { ManifestJob } from '../functions/domain/manifest.ts';
import { stackOf } from '../functions/domain/placement.ts';
import { compileAlarms } from '../functions/domain/schedule/index.ts';
import { stackName } from './names.ts';
import type { Stage } from './stage.ts';

/** CloudFormation's limit for a stack. */
const mostResources = 500;
/** A stack of jobs is filled no further: the rest is for what its team adds. */
const roomOfStack = 450;
const nearlyFull = 400;

/** A stack of jobs as it is going to be. */
export interface PlannedStack<Job extends ManifestJob = ManifestJob> {
  /** From 1. */
  readonly stack: number;
  readonly jobs: readonly Job[];
  /** It is nearly full: a sentence, with the remedy. Absent: it isn't. */
  readonly warning?: string;
}

/** How many resources a deployed job is: function, role, log group and what Lambda does with a failed event; and its alarms. */
export function resourcesOf({ spec }: Pick<ManifestJob, 'spec'>): number {
  return 4 + compileAlarms(spec).alarms.length;
}

/**
 * Which job goes into which stack of the stage.
 *
 * @throws ConfigError when one of them would be too full
 */
export function planStacks<Job extends ManifestJob>(stage: Stage, jobs: readonly Job[]): PlannedStack<Job>[] {
  const sized = jobs.map((job) => ({ job, size: resourcesOf(job) }));
  const sizes = sizesOf(sized, stage.jobStacks);
  const full = sizes.findIndex((size) => size > roomOfStack);
  if (full >= 0) throw new ConfigError(tooFull(stage, sized, { stack: full + 1, size: sizes[full] ?? 0 }));
  return sizes.map((size, index) => ({
    stack: index + 1,
    jobs: jobs.filter(({ id }) => stackOf(id, stage.jobStacks) === index + 1),
    ...(size > nearlyFull && { warning: nearlyFullText(stage, sized, { stack: index + 1, size }) }),
  }));
}

interface Sized {
  readonly job: ManifestJob;
  readonly size: number;
}

/** Of each stack, its resources. */
function sizesOf(sized: readonly Sized[], jobStacks: number): number[] {
  const sizes = new Array<number>(jobStacks).fill(0);
  for (const { job, size } of sized) {
    const index = stackOf(job.id, jobStacks) - 1;
    sizes[index] = (sizes[index] ?? 0) + size;
  }
  return sizes;
}

/** The smallest number of stacks, beyond those that there are, of which none has more than so many. Null: there is none. */
function stacksFor(sized: readonly Sized[], jobStacks: number, most: number): number | null {
  const total = sized.reduce((sum, { size }) => sum + size, 0);
  for (let count = Math.max(jobStacks + 1, Math.ceil(total / most)); count <= mostJobStacks; count += 1)
    if (sizesOf(sized, count).every((size) => size <= most)) return count;
  return null;
}

interface Crowded {
  readonly stack: number;
  readonly size: number;
}

function tooFull(stage: Stage, sized: readonly Sized[], crowded: Crowded): string {
  const count = stacksFor(sized, stage.jobStacks, roomOfStack);
  return (
    `${crowdedText(stage, sized, crowded)}, and is to have ${roomOfStack} at most ` +
    `(CloudFormation allows ${mostResources}). ${remedy(stage, count)}`
  );
}

function nearlyFullText(stage: Stage, sized: readonly Sized[], crowded: Crowded): string {
  const count = stacksFor(sized, stage.jobStacks, nearlyFull);
  return `${crowdedText(stage, sized, crowded)} of the ${roomOfStack} that it may have. ${remedy(stage, count)}`;
}

function crowdedText({ name, jobStacks }: Stage, sized: readonly Sized[], { stack, size }: Crowded): string {
  const jobs = sized.filter(({ job }) => stackOf(job.id, jobStacks) === stack).length;
  return `${stackName(name, `jobs-${stack}`)} has ${size} resources for ${jobs} of ${sized.length} jobs`;
}

function remedy({ name, jobStacks }: Stage, count: number | null): string {
  return count === null
    ? `Not even ${mostJobStacks} stacks have room for these jobs: give those that stage ${name} can do without a 'stages' list.`
    : `Raise jobStacks of stage ${name} in functions/config.ts from ${jobStacks} to ${count}; few jobs move.`;
}
