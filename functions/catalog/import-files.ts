import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { describeMessage, isBuildFailure } from './build-errors.ts';
import { commonOptions, packageDir } from './esbuild.ts';
import { describeThrown } from './thrown.ts';

/** A file's default export, or why there is none. Both may come with warnings. */
export interface Imported {
  readonly file: string;
  readonly exported?: unknown;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Imports files that are isolated from one another: one that doesn't compile, or throws when it is imported, takes no
 * other with it. Files are paths below `dir`. `poolsFile`: what `#pools` is.
 */
export async function importFiles(
  dir: string,
  files: readonly string[],
  poolsFile: string,
): Promise<Imported[]> {
  const outDir = await mkdtemp(path.join(os.tmpdir(), 'fireledger-catalog-'));
  try {
    const sources = files.map((file, index) => ({ file, output: path.join(outDir, `${index}.cjs`) }));
    const compiled = await compile(sources, { dir, outDir, poolsFile });
    return compiled.map((one) => (one.errors.length > 0 ? one : { ...one, ...evaluate(dir, one.output) }));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

interface Source {
  readonly file: string;
  readonly output: string;
}

interface Places {
  readonly dir: string;
  readonly outDir: string;
  readonly poolsFile: string;
}

interface Compiled extends Source {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** One run for all. When it fails, one for each: only so is it certain whose an error in a shared module is. */
async function compile(sources: readonly Source[], places: Places): Promise<Compiled[]> {
  const { dir, outDir, poolsFile } = places;
  try {
    const { warnings, metafile } = await build({
      ...commonOptions(poolsFile),
      absWorkingDir: dir,
      entryPoints: sources.map(({ file, output }) => ({
        in: path.join(dir, file),
        out: path.basename(output, '.cjs'),
      })),
      outdir: outDir,
      outExtension: { '.js': '.cjs' },
      sourcemap: 'external',
      metafile: true,
      plugins: [installedPackages],
    });
    return sources.map((one) => {
      const inputs = metafile.outputs[path.relative(dir, one.output).replaceAll(path.sep, '/')]?.inputs ?? {};
      const mine = warnings.filter(({ location }) => location !== null && location.file in inputs);
      return { ...one, errors: [], warnings: mine.map(describeMessage) };
    });
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    const [only, ...others] = sources;
    if (only === undefined) throw error;
    if (others.length === 0) return [{ ...only, errors: error.errors.map(describeMessage), warnings: [] }];
    return (await Promise.all(sources.map((one) => compile([one], places)))).flat();
  }
}

/** Leaves packages to Node: compiled into each file, the AWS SDK would make loading ten times slower. */
const installedPackages: Plugin = {
  name: 'installed-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./#]/ }, ({ path: name, importer, kind }) => {
      if (kind === 'entry-point' || path.isAbsolute(name) || isBuiltin(name)) return undefined;
      const found = resolved(name, importer) ?? resolved(name, path.join(packageDir, 'package.json'));
      return found === null ? undefined : { path: found, external: true };
    });
  },
};

function resolved(name: string, from: string): string | null {
  try {
    return createRequire(from).resolve(name);
  } catch {
    // Not installed, or made for `import` alone: esbuild says so, or compiles it in.
    return null;
  }
}

const require = createRequire(import.meta.url);

/** A file that ends the process, or throws, would take the others with it. */
function evaluate(dir: string, output: string): { exported: unknown } | { errors: string[] } {
  const { exit } = process;
  process.exit = (code) => {
    throw new Error(`process.exit(${code ?? ''}) is called`);
  };
  try {
    const exports: { default?: unknown } = require(output);
    return { exported: exports.default };
  } catch (error) {
    return { errors: [describeThrown(error, output, dir)] };
  } finally {
    process.exit = exit;
  }
}
