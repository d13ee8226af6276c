import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { stageConfig } from '../config.ts';
import type { JobEntry, Manifest } from '../domain/manifest.ts';
import { type Imported, importFiles } from './import-files.ts';
import { findJobFiles } from './job-files.ts';
import { type LoadedPools, loadPools } from './load-pools.ts';
import { poolWarnings } from './pool-warnings.ts';
import { CatalogError, findingsOf, type Problem, printable } from './problem.ts';
import { type CatalogJob, type CheckedFile, type Surroundings, validateJob } from './validate.ts';

export interface Catalog {
  /** Absolute, symbolic links followed. */
  readonly jobsDir: string;
  /** What `#pools` is for these jobs. Absolute. */
  readonly poolsFile: string;
  readonly manifest: Manifest<JobEntry>;
  /** In the manifest's order: by id. */
  readonly jobs: readonly CatalogJob[];
  /** Valid, and probably not meant: one sentence each, with its file. */
  readonly warnings: readonly string[];
  /** Of the files that are left out; empty unless `onProblem` was given. */
  readonly problems: readonly Problem[];
}

export interface LoadOptions {
  readonly jobsDir: string;
  /** Only the jobs of this stage, spread over its stacks. @default all, in one stack */
  readonly stage?: string;
  /** Is told each problem, and the jobs without any are loaded. @default any problem refuses the whole catalog */
  readonly onProblem?: (problem: Problem) => void;
  /** What the warnings about schedules are measured from. */
  readonly now?: number;
}

/**
 * Loads and checks every job file below a folder, and the pools that they take of: `pools.ts` beside the folder or, where
 * there is none, this package's.
 *
 * @throws CatalogError with every problem of every file, ConfigError for an unknown stage
 */
export async function loadCatalog({
  stage,
  onProblem,
  now = Date.now(),
  ...given
}: LoadOptions): Promise<Catalog> {
  const jobsDir = await realpath(given.jobsDir).catch(() => path.resolve(given.jobsDir));
  const pools = await loadPools(jobsDir);
  const { jobs, warnings, problems } = await checkFiles(jobsDir, pools, now);
  if (problems.length > 0 && onProblem === undefined) throw new CatalogError(jobsDir, problems);
  if (onProblem !== undefined) problems.forEach(onProblem);
  const deployed = jobs.filter(({ entry }) => stage === undefined || (entry.stages?.includes(stage) ?? true));
  const manifest = manifestOf(deployed, pools.pools, stage);
  return { jobsDir, poolsFile: pools.path, manifest, jobs: deployed, warnings, problems };
}

function manifestOf(
  jobs: readonly CatalogJob[],
  pools: NonNullable<Manifest['pools']>,
  stage: string | undefined,
): Manifest<JobEntry> {
  const declared = Object.keys(pools).length > 0 && { pools };
  const jobStacks = stage === undefined ? 1 : stageConfig(stage).jobStacks;
  const placed = jobStacks > 1 && { jobStacks };
  return { version: 1, jobs: jobs.map(({ entry }) => entry), ...declared, ...placed };
}

type Checked = Pick<Catalog, 'jobs' | 'warnings' | 'problems'>;

async function checkFiles(jobsDir: string, pools: LoadedPools, now: number): Promise<Checked> {
  const found = await findJobFiles(jobsDir).catch((error: Error) => error);
  if (found instanceof Error) return { jobs: [], problems: unreadable(found), warnings: [] };
  const imported = await importFiles(jobsDir, found.files, pools.path);
  const surroundings = { now, capacities: pools.capacities };
  const checked = imported.map((one) => ({ file: one.file, ...checkImported(one, surroundings) }));
  const all = checked.flatMap(({ job }) => job ?? []).sort(byId);
  const duplicates = duplicateIds(all);
  const jobs = all.filter(({ entry }) => !duplicates.some(({ file }) => file === entry.file));
  const problems = [...pools.problems, ...checked.flatMap((one) => one.problems), ...duplicates];
  return {
    jobs,
    problems,
    warnings: [
      ...found.leftOut.map((file) => `${printable(file)}: is not read: a job file ends in .ts, .js or .mjs`),
      ...(found.files.length === 0 ? [`there is no job file under ${jobsDir}`] : []),
      ...checked.flatMap(({ file, warnings }) => warnings.map((warning) => `${file}: ${warning}`)),
      ...pools.warnings.map((warning) => `${pools.name}: ${warning}`),
      // Who takes of what is known only when every file is.
      ...(problems.length === 0 ? poolWarnings(pools, jobs) : []),
    ],
  };
}

function unreadable(error: Error): readonly Problem[] {
  const { problems, report } = findingsOf('.');
  report(null, `the jobs folder can't be read: ${error.message}`);
  return problems;
}

function checkImported(
  { file, exported, errors, warnings }: Imported,
  surroundings: Surroundings,
): CheckedFile {
  if (errors.length === 0) {
    const checked = validateJob(file, exported, surroundings);
    return { ...checked, warnings: [...warnings, ...checked.warnings] };
  }
  const { problems, report } = findingsOf(file);
  for (const error of errors) report(null, printable(error));
  return { problems, warnings };
}

function byId(one: CatalogJob, other: CatalogJob): number {
  return one.entry.id < other.entry.id ? -1 : 1;
}

/** One problem for each file, so that whoever reads about one is told of the others. */
function duplicateIds(jobs: readonly CatalogJob[]): Problem[] {
  return jobs.flatMap(({ entry }) => {
    const others = jobs.filter((job) => job.entry.id === entry.id && job.entry.file !== entry.file);
    if (others.length === 0) return [];
    const { problems, refuse } = findingsOf(entry.file);
    const files = others.map((job) => job.entry.file).join(', ');
    refuse('id', entry.id, `is also the id of ${files}; give one of them another id or path`);
    return problems;
  });
}
