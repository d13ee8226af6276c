import path from 'node:path';
import type { OutputFile } from 'esbuild';
import { packageDir } from './esbuild.ts';

/** A source map whose sources are named alike on every machine: below the package, the jobs folder or node_modules. */
export function portableSources(
  { path: file, text }: Pick<OutputFile, 'path' | 'text'>,
  jobsDir: string,
): string {
  const map: { sources: string[] } = JSON.parse(text);
  const portable = (source: string) =>
    source.startsWith('fireledger:')
      ? 'generated'
      : sourceName(path.resolve(path.dirname(file), source), jobsDir);
  return JSON.stringify({ ...map, sources: map.sources.map(portable) });
}

function sourceName(source: string, jobsDir: string): string {
  const [, installed] = /(node_modules[\\/].*)$/.exec(source) ?? [];
  const name =
    installed ??
    below(packageDir, source) ??
    prefixed('jobs', below(jobsDir, source)) ??
    path.basename(source);
  return name.replaceAll(path.sep, '/');
}

function below(dir: string, file: string): string | null {
  const relative = path.relative(dir, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? null : relative;
}

function prefixed(folder: string, name: string | null): string | null {
  return name === null ? null : path.join(folder, name);
}
