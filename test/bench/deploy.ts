import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { App, Stack } from 'aws-cdk-lib/core';
import { bundleFunctions, type Catalog, loadCatalog } from '../../functions/catalog/index.ts';
import { addStacks } from '../../infra/stacks.ts';
import { stageNamed } from '../../infra/stage.ts';
import { type BenchRow, median, row } from './row.ts';

const bundled = 50;
const synthesised = 1_000;
const root = path.resolve(import.meta.dirname, '../..');

/**
 * How long it takes to bundle the jobs of a deploy: against the CDK's own way, one esbuild process for each function. And what a
 * stage of a thousand jobs comes to.
 */
export async function benchDeploy(): Promise<BenchRow[]> {
  // The CDK wants what it bundles below the project, where it looks for esbuild.
  const folder = await mkdtemp(path.join(root, 'node_modules/.bench-'));
  try {
    const { ours, peer } = await bundling(folder);
    const { took, stacks, largest } = await synthesis(folder);
    return [
      row({
        name: 'deploy',
        metric: `seconds to bundle ${bundled} jobs`,
        ours,
        peer,
        peerName: "the CDK's NodejsFunction, without Docker",
        target: 0.2,
      }),
      row({
        name: 'deploy',
        metric: `seconds to synthesise ${synthesised} jobs, bundles and all`,
        ours: took,
        peer: (peer / bundled) * synthesised,
        peerName: `bundling alone, by the above: ${synthesised / bundled} times as long`,
        target: 0.5,
      }),
      row({
        name: 'deploy',
        metric: `resources in the largest of their ${stacks} stacks of jobs`,
        ours: largest,
        peer: 500,
        peerName: 'what CloudFormation takes in a stack',
        target: 0.9,
      }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ours before, amid and after theirs: whatever else a machine does in these minutes slows both. */
async function bundling(folder: string): Promise<{ ours: number; peer: number }> {
  const catalog = await writeJobs(path.join(folder, 'jobs'), bundled);
  const outDir = path.join(folder, 'bundles');
  const bundle = () => seconds(() => bundleFunctions({ catalog, outDir }));
  const entries = await writeEntries(catalog, path.join(folder, 'entries'));
  const stock = (half: number, from: number, to?: number) =>
    seconds(async () => stockBundles(entries.slice(from, to), path.join(folder, `cdk.out-${half}`)));
  const ours = [await bundle()];
  let peer = await stock(1, 0, bundled / 2);
  ours.push(await bundle());
  peer += await stock(2, bundled / 2);
  ours.push(await bundle());
  return { ours: median(ours), peer };
}

interface Synthesis {
  readonly took: number;
  readonly stacks: number;
  readonly largest: number;
}

/** As `cdk synth` does it, catalog, bundles, assets, templates and CloudFormation's rules. */
async function synthesis(folder: string): Promise<Synthesis> {
  const jobsDir = path.join(folder, 'many-jobs');
  await writeJobs(jobsDir, synthesised);
  const { context } = JSON.parse(await readFile(path.join(root, 'cdk.json'), 'utf8'));
  const app = new App({ outdir: path.join(folder, 'cdk.out'), context, autoSynth: false });
  const stage = { ...stageNamed('prod'), jobStacks: 15 };
  const took = await seconds(async () => {
    await addStacks(app, { stage, jobsDir });
    app.synth();
  });
  const { stacks } = app.synth();
  const sizes = stacks
    .filter(({ stackName }) => stackName.includes('-jobs-'))
    .map(({ template }) => Object.keys(template.Resources).length);
  return { took, stacks: sizes.length, largest: Math.max(...sizes) };
}

async function writeJobs(jobsDir: string, count: number): Promise<Catalog> {
  await mkdir(jobsDir);
  for (let n = 1; n <= count; n += 1) {
    const text = `import { cron, defineJob } from '#job';
export default defineJob({ description: 'Job ${n}', schedule: cron('${n % 60} 3 * * *'), timezone: 'UTC', missed: 'all',
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
