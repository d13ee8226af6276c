import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { JobEntry, Manifest } from '../domain/manifest.ts';
import { type Imported, importFiles } from './import-files.ts';
import { findJobFiles } from './job-files.ts';
import { CatalogError, findingsOf, type Problem, printable } from './problem.ts';
import { type CatalogJob, type CheckedFile, validateJob } from './validate.ts';

export interface Catalog {
  /** Absolute, symbolic links followed. */
  readonly jobsDir: string;
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
  /** Only the jobs of this stage. @default all */
  readonly stage?: string;
  /** Is told each problem, and the jobs without any are loaded. @default any problem refuses the whole catalog */
  readonly onProblem?: (problem: Problem) => void;
  /** What the warnings about schedules are measured from. */
  readonly now?: number;
}

/**
 * Loads and checks every job file below a folder.
 *
 * @throws CatalogError with every problem of every file
 */
export async function loadCatalog({
  stage,
  onProblem,
  now = Date.now(),
  ...given
}: LoadOptions): Promise<Catalog> {
  const jobsDir = await realpath(given.jobsDir).catch(() => path.resolve(given.jobsDir));
  const { jobs, warnings, problems } = await checkFiles(jobsDir, now);
  if (problems.length > 0 && onProblem === undefined) throw new CatalogError(jobsDir, problems);
  if (onProblem !== undefined) problems.forEach(onProblem);
  const deployed = jobs.filter(({ entry }) => stage === undefined || (entry.stages?.includes(stage) ?? true));
  const manifest: Manifest<JobEntry> = { version: 1, jobs: deployed.map(({ entry }) => entry) };
  return { jobsDir, manifest, jobs: deployed, warnings, problems };
}

type Checked = Pick<Catalog, 'jobs' | 'warnings' | 'problems'>;

async function checkFiles(jobsDir: string, now: number): Promise<Checked> {
  const found = await findJobFiles(jobsDir).catch((error: Error) => error);
  if (found instanceof Error) return { jobs: [], problems: unreadable(found), warnings: [] };
  const imported = await importFiles(jobsDir, found.files);
  const checked = imported.map((one) => ({ file: one.file, ...checkImported(one, now) }));
  const jobs = checked.flatMap(({ job }) => job ?? []).sort(byId);
  const duplicates = duplicateIds(jobs);
  return {
    jobs: jobs.filter(({ entry }) => !duplicates.some(({ file }) => file === entry.file)),
    problems: [...checked.flatMap(({ problems }) => problems), ...duplicates],
    warnings: [
      ...found.leftOut.map((file) => `${printable(file)}: is not read: a job file ends in .ts, .js or .mjs`),
      ...(found.files.length === 0 ? [`there is no job file under ${jobsDir}`] : []),
      ...checked.flatMap(({ file, warnings }) => warnings.map((warning) => `${file}: ${warning}`)),
    ],
  };
}

function unreadable(error: Error): readonly Problem[] {
  const { problems, report } = findingsOf('.');
  report(null, `the jobs folder can't be read: ${error.message}`);
  return problems;
}

function checkImported({ file, exported, errors, warnings }: Imported, now: number): CheckedFile {
  if (errors.length === 0) {
    const checked = validateJob(file, exported, now);
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
