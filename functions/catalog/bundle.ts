import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Message, type OutputFile, type Plugin } from 'esbuild';
import { type JobEntry, type Manifest, publicManifest } from '../domain/manifest.ts';
import { secretPlace } from '../domain/secrets.ts';
import { describeMessage, isBuildFailure } from './build-errors.ts';
import { commonOptions, packageDir } from './esbuild.ts';
import { functionCredentials } from './function-credentials.ts';
import type { Catalog } from './load.ts';
import { CatalogError, type Problem } from './problem.ts';
import { portableSources } from './source-map.ts';
import type { CatalogJob } from './validate.ts';

/** A folder that Lambda can run: `index.js` exports `handler`. */
export interface Bundle {
  /** Absolute. */
  readonly dir: string;
  /** Of index.js. */
  readonly bytes: number;
}

export interface Bundles {
  /** By job id. */
  readonly functions: Readonly<Record<string, Bundle>>;
  readonly reconciler: Bundle;
}

export interface BundleOptions {
  readonly catalog: Catalog;
  /** Gets a folder for each function. */
  readonly outDir: string;
  /** Where `job.ts` and `reconciler.ts` are. @default functions/handlers */
  readonly handlersDir?: string;
}

/** No job's: an id has no `_` at its beginning. */
const reconcilerFolder = '_reconciler';

/**
 * Bundles every job and the reconciler, many in one esbuild run. The same sources give the same bytes wherever they are, so
 * that a deploy changes only the functions whose code changed. Nothing is written when anything doesn't compile.
 *
 * @throws CatalogError with everything that doesn't compile
 */
export async function bundleFunctions({ catalog, outDir, ...given }: BundleOptions): Promise<Bundles> {
  const handlersDir = path.resolve(given.handlersDir ?? path.join(packageDir, 'functions/handlers'));
  const entries = new Map(
    catalog.jobs.map((job) => [folderOf(job.entry.id), jobEntry(job, catalog, handlersDir)]),
  );
  entries.set(reconcilerFolder, reconcilerEntry(publicManifest(catalog.manifest), handlersDir));
  const outputFiles = await compileAll(entries, outDir, catalog);
  await Promise.all(outputFiles.map((file) => write(file, catalog.jobsDir)));
  const bundle = (folder: string) => bundleIn(path.resolve(outDir, folder), outputFiles);
  return {
    functions: Object.fromEntries(catalog.jobs.map(({ entry }) => [entry.id, bundle(folderOf(entry.id))])),
    reconciler: bundle(reconcilerFolder),
  };
}

/** In one run esbuild links all of its bundles at once, and each takes 15 MB meanwhile. */
const bundlesInARun = 50;

/** Packages are parsed once in a run, not once for each bundle. */
async function compileAll(
  entries: ReadonlyMap<string, string>,
  outDir: string,
  catalog: Catalog,
): Promise<readonly OutputFile[]> {
  const all = [...entries];
  const outputFiles: OutputFile[] = [];
  for (let from = 0; from < all.length; from += bundlesInARun)
    outputFiles.push(...(await compile(new Map(all.slice(from, from + bundlesInARun)), outDir, catalog)));
  return outputFiles;
}

async function compile(
  entries: ReadonlyMap<string, string>,
  outDir: string,
  { jobsDir, poolsFile }: Catalog,
): Promise<readonly OutputFile[]> {
  try {
    const { outputFiles } = await build({
      ...commonOptions(poolsFile),
      absWorkingDir: packageDir,
      entryPoints: [...entries.keys()].map((folder) => ({
        in: `${namespace}:${folder}`,
        out: `${folder}/index`,
      })),
      outdir: outDir,
      write: false,
      minify: true,
      legalComments: 'none',
      mainFields: ['module', 'main'],
      sourcemap: 'linked',
      plugins: [generatedEntries(entries), functionCredentials, packagesUnmapped],
    });
    return outputFiles;
  } catch (error) {
    throw isBuildFailure(error) ? new CatalogError(jobsDir, error.errors.map(problemOf)) : error;
  }
}

function problemOf(message: Message): Problem {
  return { file: message.location?.file ?? '.', option: null, value: '', message: describeMessage(message) };
}

function folderOf(jobId: string): string {
  return jobId.replaceAll('/', '_');
}

function jobEntry({ entry }: CatalogJob, { jobsDir }: Catalog, handlersDir: string): string {
  const readers = secretReaders(entry);
  const imports = readers.map(
    ({ file, reader }) => `import { ${reader} } from ${JSON.stringify(path.join(handlersDir, file))};`,
  );
  const given = readers.map(({ service, reader }) => `${JSON.stringify(service)}: ${reader}()`);
  return `
    import job from ${JSON.stringify(path.join(jobsDir, entry.file))};
    import { jobHandler } from ${JSON.stringify(path.join(handlersDir, 'job.ts'))};
    ${imports.join('\n')}
    export const handler = jobHandler(${JSON.stringify(entry)}, job, { ${given.join(', ')} });`;
}

const allReaders = [
  { service: 'secrets-manager', file: 'secrets-manager.ts', reader: 'secretsManager' },
  { service: 'parameter-store', file: 'parameter-store.ts', reader: 'parameterStore' },
] as const;

/** Where a secret is kept doesn't depend on it, and nor does a bundle. */
const anyStage = 'any';

/** Those of the services in which the job has secrets: each brings a client with it. */
function secretReaders({ secrets = {} }: JobEntry): (typeof allReaders)[number][] {
  const used = Object.values(secrets).map((kept) => secretPlace(kept, anyStage).service);
  return allReaders.filter(({ service }) => used.includes(service));
}

function reconcilerEntry(manifest: Manifest, handlersDir: string): string {
  return `
    import { reconcilerHandler } from ${JSON.stringify(path.join(handlersDir, 'reconciler.ts'))};
    export const handler = reconcilerHandler(${JSON.stringify(manifest)});`;
}

const namespace = 'fireledger';

/** Entry points that exist in memory alone, as `fireledger:<folder>`. */
function generatedEntries(entries: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'generated-entries',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^fireledger:/ }, ({ path: name }) => ({ path: name, namespace }));
      onLoad({ filter: /./, namespace }, ({ path: name }) => ({
        contents: entries.get(name.slice(namespace.length + 1)) ?? '',
        loader: 'js',
        resolveDir: packageDir,
      }));
    },
  };
}

/** A map of one place, which esbuild takes for the file's own. */
const unmapped = `\n//# source${'MappingURL'}=data:application/json;base64,${Buffer.from(
  '{"version":3,"sources":["package"],"mappings":"AAAA"}',
).toString('base64')}`;

/**
 * Nobody edits packages, so source maps leave their code out: of a thousand jobs that is a gigabyte. A trace names such code by
 * its place in index.js.
 */
const packagesUnmapped: Plugin = {
  name: 'packages-unmapped',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, 'utf8')) + unmapped,
      loader: 'js',
    }));
  },
};

async function write(file: OutputFile, jobsDir: string): Promise<void> {
  const dir = path.dirname(file.path);
  await mkdir(dir, { recursive: true });
  const isMap = file.path.endsWith('.map');
  await writeFile(file.path, isMap ? portableSources(file, jobsDir) : file.contents);
  // Whatever package.json is above, this is CommonJS.
  if (!isMap) await writeFile(path.join(dir, 'package.json'), '{"type":"commonjs"}\n');
}

function bundleIn(dir: string, files: readonly OutputFile[]): Bundle {
  const code = files.find((file) => file.path === path.join(dir, 'index.js'));
  if (code === undefined) throw new Error(`esbuild wrote no ${path.join(dir, 'index.js')}`);
  return { dir, bytes: code.contents.byteLength };
}
