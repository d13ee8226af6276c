import { access } from 'node:fs/promises';
import path from 'node:path';
import { packagePools } from './esbuild.ts';

/** What `#pools` is for the jobs of a folder. */
export interface PoolsFile {
  /** Absolute. */
  readonly path: string;
  /** Whether it is of these jobs alone, and not what other folders fall back on. */
  readonly isTheirs: boolean;
}

/** `pools.ts` beside the jobs folder or, where there is none, this package's. */
export async function findPoolsFile(jobsDir: string): Promise<PoolsFile> {
  const beside = path.join(jobsDir, '../pools.ts');
  const isTheirs = await access(beside).then(
    () => true,
    () => false,
  );
  return { path: isTheirs ? beside : packagePools, isTheirs };
}
