import { access, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../user-error.ts';

export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** @throws UserError naming every file that is there already */
export async function refuseExisting(files: readonly NewFile[]): Promise<void> {
  const there: string[] = [];
  for (const file of files) if (await exists(file.path)) there.push(file.path);
  if (there.length > 0)
    throw new UserError(
      `nothing was written, since these files are there already; remove them, or name another folder with --out:\n${there.map((file) => `  ${file}`).join('\n')}`,
    );
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}

/** Writes all of the files, or none: what was written before one fails is removed again. None is overwritten. */
export async function writeAll(files: readonly NewFile[]): Promise<void> {
  const made: string[] = [];
  try {
    for (const file of files) {
      const folder = await mkdir(path.dirname(file.path), { recursive: true });
      if (folder !== undefined) made.push(folder);
      const handle = await open(file.path, 'wx');
      made.push(file.path);
      await handle.writeFile(file.text).finally(() => handle.close());
    }
  } catch (error) {
    for (const one of made.reverse()) await rm(one, { recursive: true, force: true });
    throw new UserError(`nothing was written: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}
