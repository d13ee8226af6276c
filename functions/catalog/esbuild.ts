import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

/** The folder of package.json. */
export const packageDir = fileURLToPath(new URL('../../', import.meta.url));

/** The pools of jobs that have none beside their folder. */
export const packagePools = path.join(packageDir, 'functions/pools.ts');

/**
 * What loading and bundling have in common, so that a job is checked as it is deployed. Job files outside the package
 * may import `#job`, `#pools` and whatever the package has installed. `poolsFile`: what `#pools` is.
 */
export function commonOptions(poolsFile: string) {
  return {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'utf8',
    alias: {
      '#job': path.join(packageDir, 'functions/job.ts'),
      '#pools': poolsFile,
    },
    nodePaths: [path.join(packageDir, 'node_modules')],
    sourcesContent: false,
    logLevel: 'silent',
    logLimit: 0,
  } satisfies BuildOptions;
}
