import { type JobEntry, specIdOf } from '../domain/manifest.ts';
import { warnings as scheduleWarnings } from '../domain/schedule/index.ts';
import { minute } from '../domain/time.ts';
import type { Job, JobOptions } from '../job.ts';
import { checkDescription, checkId, checkStages } from './check-identity.ts';
import { checkEnvironment, checkMemory, checkPermissions, checkVpc } from './check-lambda.ts';
import { checkMetrics } from './check-metrics.ts';
import { checkCrashed, checkMissed, checkOverlap, checkQueue } from './check-policies.ts';
import type { Capacities } from './check-pools.ts';
import { checkFailing } from './check-retry.ts';
import { checkSpec } from './check-schedule.ts';
import { checkSecrets } from './check-secrets.ts';
import { isPlainObject } from './check-shape.ts';
import { checkGrace, checkTimeout } from './check-times.ts';
import { checkWeights } from './check-weights.ts';
import { suggestion } from './nearest.ts';
import { type Findings, findingsOf, kindOf, type Problem, shown } from './problem.ts';

/** Every option of the type. What is none is refused: ignoring it would break what its author hopes for. */
const options: Readonly<Record<keyof JobOptions, true>> = {
  id: true,
  description: true,
  schedule: true,
  timezone: true,
  dst: true,
  from: true,
  until: true,
  except: true,
  spread: true,
  missed: true,
  crashed: true,
  overlap: true,
  maxQueued: true,
  maxWait: true,
  timeout: true,
  grace: true,
  memory: true,
  environment: true,
  permissions: true,
  stages: true,
  input: true,
  pools: true,
  priority: true,
  retry: true,
  pauseAfter: true,
  notify: true,
  metrics: true,
  run: true,
  secrets: true,
  vpc: true,
};

/** A job as plain data, and as its author wrote it. */
export interface CatalogJob {
  readonly entry: JobEntry;
  readonly options: JobOptions;
}

/** A job file's job, or everything that is wrong with it. */
export interface CheckedFile {
  readonly job?: CatalogJob;
  readonly problems: readonly Problem[];
  /** Valid, and probably not meant. */
  readonly warnings: readonly string[];
}

/** What a job is checked against. */
export interface Surroundings {
  /** For warnings alone. */
  readonly now: number;
  readonly capacities: Capacities | null;
}

/** Checks a job file's default export. */
export function validateJob(file: string, exported: unknown, { now, capacities }: Surroundings): CheckedFile {
  const findings = findingsOf(file);
  const { problems, report } = findings;
  try {
    const job = checkJob(file, exported, capacities, findings);
    if (job !== undefined && problems.length === 0)
      return { job, problems, warnings: warningsOf(job.entry, now) };
  } catch (error) {
    report(null, `its options can't be read: ${error}`);
  }
  return { problems, warnings: [] };
}

function checkJob(
  file: string,
  exported: unknown,
  capacities: Capacities | null,
  findings: Findings,
): CatalogJob | undefined {
  const given = givenOptions(exported, findings);
  if (given === undefined) return undefined;
  refuseUnknown(given, findings);
  checkCode(given, findings);
  const entry = checkEntry(file, given, capacities, findings);
  return entry && { entry, options: (exported as Job).options };
}

function givenOptions(
  exported: unknown,
  { report }: Findings,
): Readonly<Record<string, unknown>> | undefined {
  const howTo = 'write: export default defineJob({ … })';
  if (exported === undefined) report(null, `has no default export; ${howTo}`);
  else if (!isPlainObject(exported) || exported.fireledger !== 'job')
    report(null, `its default export is ${kindOf(exported)} that defineJob did not make; ${howTo}`);
  else if (!isPlainObject(exported.options))
    report(null, `defineJob was called with ${kindOf(exported.options)}; ${howTo}`);
  else return exported.options;
  return undefined;
}

function refuseUnknown(given: Readonly<Record<string, unknown>>, { report }: Findings): void {
  const known = Object.keys(options);
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !known.includes(name))
      report(name, `${shown(name)} is no option; ${suggestion(name, known, 'the options')}`);
}

function checkEntry(
  file: string,
  given: Readonly<Record<string, unknown>>,
  capacities: Capacities | null,
  findings: Findings,
): JobEntry | undefined {
  const { refuse } = findings;
  const id = checkId(file, given.id, findings);
  const description = checkDescription(given.description, findings);
  const spec = checkSpec(given, id, findings);
  const policies = {
    missed: checkMissed(given.missed, findings),
    crashed: checkCrashed(given.crashed, findings),
    overlap: checkOverlap(given.overlap, findings),
  };
  const resources = {
    timeoutMs: checkTimeout(given.timeout, refuse),
    graceMs: checkGrace(given.grace, refuse),
    memoryMb: checkMemory(given.memory, refuse),
    environment: checkEnvironment(given.environment, findings),
  };
  const secrets = checkSecrets(given.secrets, findings);
  const vpc = checkVpc(given.vpc, refuse);
  const permissions = checkPermissions(given.permissions, refuse);
  const queue = checkQueue(given, findings);
  const failing = checkFailing(given, refuse);
  const weights = checkWeights(given, capacities, findings);
  const stages = checkStages(given.stages, refuse);
  const parts = { id, file, description, spec, ...policies, ...resources };
  if (spec === undefined || !isComplete(parts)) return undefined;
  return {
    ...parts,
    ...queue,
    ...failing,
    ...checkMetrics(given.metrics, refuse),
    ...weights,
    specId: specIdOf(spec),
    ...(permissions !== undefined && { permissions }),
    ...(secrets !== undefined && { secrets }),
    ...(vpc !== undefined && { vpc }),
    ...(stages !== undefined && { stages }),
  };
}

function isComplete<Parts extends object>(
  parts: Parts,
): parts is { [Key in keyof Parts]: Exclude<Parts[Key], undefined> } {
  return Object.values(parts).every((part) => part !== undefined);
}

/** What stays code and is not in the manifest. */
function checkCode({ run, input }: Readonly<Record<string, unknown>>, { refuse, report }: Findings): void {
  if (run === undefined) report('run', 'run: missing; write the work: async run(fire, ctx) { … }');
  else if (typeof run !== 'function')
    refuse('run', run, 'is not a function; write async run(fire, ctx) { … }');
  if (input !== undefined && !isStandardSchema(input))
    report(
      'input',
      `input: is ${kindOf(input)}; allowed is a Standard Schema, such as one of zod, valibot or arktype`,
    );
}

function isStandardSchema(value: unknown): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = Reflect.get(value, '~standard');
  if (typeof standard !== 'object' || standard === null) return false;
  return Reflect.get(standard, 'version') === 1 && typeof Reflect.get(standard, 'validate') === 'function';
}

function warningsOf({ spec, graceMs }: JobEntry, now: number): string[] {
  const shortGrace = `grace: under 2 minutes: an alarm may come a minute late, and a cold start takes its time`;
  return [...(graceMs < 2 * minute ? [shortGrace] : []), ...scheduleWarnings(spec, now)];
}
