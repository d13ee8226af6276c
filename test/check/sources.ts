import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export interface Source {
  /** Relative to the repository, `/`-separated. */
  readonly path: string;
  readonly text: string;
}

/** Written by others, or by machines. */
const notOurs = /^(LICENSE|package-lock\.json|test\/cases\/.*)$/;

/** Every text file that is, or could be, committed. */
export async function sourcesOf(dir: string): Promise<Source[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', args, { cwd: dir, maxBuffer: 1 << 26 });
  const paths = [...new Set(stdout.split('\0'))].filter((file) => file !== '' && !notOurs.test(file));
  const sources = await Promise.all(paths.map((file) => textOf(dir, file)));
  return sources.flatMap((source) => source ?? []);
}

/** Null for one that is deleted but not yet committed, and for binary files. */
async function textOf(dir: string, file: string): Promise<Source | null> {
  try {
    const text = await readFile(path.join(dir, file), 'utf8');
    return text.includes('\0') ? null : { path: file, text };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
