import { readdir } from 'node:fs/promises';
import path from 'node:path';

export interface JobFiles {
  /** Paths below the jobs folder, `/`-separated, in order. */
  readonly files: readonly string[];
  /** Code files that are left out because of their ending. */
  readonly leftOut: readonly string[];
}

/**
 * Every job file of a folder, however deep. What begins with `_` or `.`, node_modules, tests and type declarations are
 * not job files. Rejects when the folder can't be read.
 */
export async function findJobFiles(jobsDir: string): Promise<JobFiles> {
  const entries = await readdir(jobsDir, { recursive: true, withFileTypes: true });
  const code = entries
    .filter((entry) => !entry.isDirectory() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => path.relative(jobsDir, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter(mayBeJob)
    .sort();
  const isJob = (file: string) => /\.(ts|js|mjs)$/.test(file);
  return { files: code.filter(isJob), leftOut: code.filter((file) => !isJob(file)) };
}

function mayBeJob(file: string): boolean {
  if (/(\.d\.[cm]?ts|\.test\.[cm]?[jt]sx?)$/.test(file)) return false;
  return file.split('/').every((part) => !/^[_.]/.test(part) && part !== 'node_modules');
}
