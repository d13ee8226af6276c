import { access } from 'node:fs/promises';
import path from 'node:path';
import { type CheckedPools, checkPools } from './check-pools.ts';
import { packagePools } from './esbuild.ts';
import { importFiles } from './import-files.ts';
import { findingsOf, type Problem, printable } from './problem.ts';

/** What `#pools` is for the jobs of a folder. */
interface PoolsFile {
  /** Absolute. */
  readonly path: string;
  /** Whether it is of these jobs alone, and not what other folders fall back on. */
  readonly isTheirs: boolean;
}

/** The pools that the jobs of a folder may take of, and what is wrong with their file. */
export interface LoadedPools extends CheckedPools, PoolsFile {
  /** The file's path from the jobs folder, `/`-separated. */
  readonly name: string;
  readonly problems: readonly Problem[];
  /** Of the compiler. */
  readonly warnings: readonly string[];
}

/** `jobsDir` is absolute. */
export async function loadPools(jobsDir: string): Promise<LoadedPools> {
  const file = await findPoolsFile(jobsDir);
  const name = path.relative(jobsDir, file.path).replaceAll(path.sep, '/');
  const findings = findingsOf(name);
  const { dir, base } = path.parse(file.path);
  const [imported] = await importFiles(dir, [base], file.path);
  const { exported, errors = [], warnings = [] } = imported ?? {};
  for (const error of errors) findings.report(null, printable(error));
  const checked = errors.length > 0 ? { pools: {}, capacities: null } : checkPools(exported, findings);
  return { ...file, name, ...checked, problems: findings.problems, warnings };
}

/** `pools.ts` beside the jobs folder or, where there is none, this package's. */
async function findPoolsFile(jobsDir: string): Promise<PoolsFile> {
  const beside = path.join(jobsDir, '../pools.ts');
  const isTheirs = await access(beside).then(
    () => true,
    () => false,
  );
  return { path: isTheirs ? beside : packagePools, isTheirs };
}
