import { nearest } from '../catalog/nearest.ts';
import { drawFaults, type FaultName, type FaultPlan, faultNames, faultTable } from '../simulator/faults.ts';
import type { Random } from '../simulator/random.ts';

/** Faults that have no place in the world of one job, and why. */
const elsewhere = {
  'old-code': 'there is one version of the job',
  'edited-schedule': 'there is one version of the job',
  'edited-pools': 'there is one version of the job',
  'new-job': 'there is one job',
  'removed-job': 'there is one job',
  rollback: 'there is one version of the job',
  'stacks-apart': 'there is one deploy',
  'deaf-body': "what the job does about its abort is its code's own affair",
  'crash-in-step': "where the job's code dies is drawn from all that it waits for: 'crash-in-body'",
  'failing-step': "what the job's steps throw is its code's own affair",
  'refused-commit': "which conditions the job's commits have is its code's own affair",
  'thawed-sandbox': "what the job's code does once it is taken for dead is its own affair",
  'leaking-body': "which errors the job lets escape is its code's own affair",
} as const satisfies Partial<Readonly<Record<FaultName, string>>>;

/** What can go wrong in the world of one job, by name. */
export type JobFault = Exclude<FaultName, keyof typeof elsewhere>;

export const jobFaults = faultNames.filter((name): name is JobFault => !Object.hasOwn(elsewhere, name));

/** Faults that meet a job only at its own fires, of which one job has few. */
const rare: readonly JobFault[] = [
  'lost-delivery',
  'doubled-delivery',
  'late-delivery',
  'early-delivery',
  'bare-placeholder',
  'dead-letter',
  'refused-invoke',
  'crash-before-start',
  'crash-after-start',
  'crash-in-body',
  'crash-before-finish',
  'crash-after-finish',
  'slow-body',
  'failing-body',
];

/** These strike so much more often than in `npm run simulate`. */
const moreOften = 10;

const chances = Object.fromEntries(rare.map((name) => [name, moreOften * faultTable[name].chance]));

/**
 * What may strike: of `all`, about two thirds, which the seed draws; those that are named, all of them.
 *
 * @throws for a name that is no fault, or none of one job's world
 */
export function faultPlan(faults: 'all' | 'none' | readonly JobFault[], random: Random): FaultPlan {
  if (faults === 'none') return { enabled: new Set() };
  if (faults === 'all') return { enabled: drawFaults(jobFaults, random), chances };
  if (typeof faults === 'string')
    throw new Error(`faults: "${faults}" is neither 'all' nor 'none' nor a list`);
  for (const name of faults) refuseUnknown(name);
  return { enabled: new Set(faults), chances };
}

function refuseUnknown(name: string): void {
  if ((jobFaults as readonly string[]).includes(name)) return;
  const reasons: Readonly<Record<string, string>> = elsewhere;
  if (Object.hasOwn(reasons, name)) throw new Error(`faults: "${name}" can't strike here: ${reasons[name]}`);
  const meant = nearest(name, jobFaults);
  const hint = meant === null ? `there are: ${jobFaults.join(', ')}` : `did you mean "${meant}"?`;
  throw new Error(`faults: "${name}" is none; ${hint}`);
}
