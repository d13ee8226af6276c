import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { App, Stack } from 'aws-cdk-lib/core';
import { bundleFunctions, type Catalog, loadCatalog } from '../../functions/catalog/index.ts';
import { type BenchRow, row } from './row.ts';

const jobs = 50;
const root = path.resolve(import.meta.dirname, '../..');

/** How long it takes to bundle the jobs of a deploy: against the CDK's own way, one esbuild process for each function. */
export async function benchDeploy(): Promise<BenchRow[]> {
  // The CDK wants what it bundles below the project, where it looks for esbuild.
  const folder = await mkdtemp(path.join(root, 'node_modules/.bench-'));
  try {
    const catalog = await writeJobs(path.join(folder, 'jobs'));
    const ours = await seconds(() => bundleFunctions({ catalog, outDir: path.join(folder, 'bundles') }));
    const entries = await writeEntries(catalog, path.join(folder, 'entries'));
    const peer = await seconds(async () => stockBundles(entries, path.join(folder, 'cdk.out')));
    const of = { name: 'deploy', metric: `seconds to bundle ${jobs} jobs`, ours, peer };
    return [row({ ...of, peerName: "the CDK's NodejsFunction, without Docker", target: 0.2 })];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeJobs(jobsDir: string): Promise<Catalog> {
  await mkdir(jobsDir);
  for (let n = 1; n <= jobs; n += 1) {
    const text = `import { cron, defineJob } from '#job';
export default defineJob({ description: 'Job ${n}', schedule: cron('${n} 3 * * *'), timezone: 'UTC', missed: 'all',
  crashed: 'rerun', run: (fire, ctx) => { ctx.log.info('job ${n}', { fire: fire.id }); } });\n`;
    await writeFile(path.join(jobsDir, `job-${n}.ts`), text);
  }
  return loadCatalog({ jobsDir });
}

/** What the CDK is given: a file for each function, with the same code in it as ours. */
async function writeEntries({ manifest, jobsDir }: Catalog, dir: string): Promise<string[]> {
  await mkdir(dir);
  return Promise.all(
    manifest.jobs.map(async (job) => {
      const file = path.join(dir, `${job.id}.ts`);
      const text = `import job from ${JSON.stringify(path.join(jobsDir, job.file))};
import { jobHandler } from ${JSON.stringify(path.join(root, 'functions/handlers/job.ts'))};
export const handler = jobHandler(${JSON.stringify(job)}, job);\n`;
      await writeFile(file, text);
      return file;
    }),
  );
}

function stockBundles(entries: readonly string[], outdir: string): void {
  const stack = new Stack(new App({ outdir }), 'Stock');
  for (const [index, entry] of entries.entries())
    new NodejsFunction(stack, `Job${index}`, {
      entry,
      projectRoot: root,
      depsLockFilePath: path.join(root, 'package-lock.json'),
      bundling: {
        ...{ minify: true, sourceMap: true, sourcesContent: false, mainFields: ['module', 'main'] },
        externalModules: [],
        esbuildArgs: {
          '--alias:#job': path.join(root, 'functions/job.ts'),
          '--alias:#pools': path.join(root, 'functions/pools.ts'),
          '--log-level': 'error',
        },
      },
    });
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}
