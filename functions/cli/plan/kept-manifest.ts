import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isPlainObject } from '../../catalog/check-shape.ts';
import type { PublishedManifest } from '../../domain/manifest.ts';
import { fromIso, toIso } from '../../domain/time.ts';
import { UserError } from '../user-error.ts';

/** A deployed manifest as it was read once, for when its ledger can't be reached. */
export interface KeptManifest {
  readonly manifest: PublishedManifest;
  /** Null: the file doesn't tell. */
  readonly readAt: number | null;
}

/** Where the manifest of a stage is kept in a data folder. */
export function keptPath(dataDir: string, stage: string): string {
  return join(resolve(dataDir), `deployed-${stage}.json`);
}

/** Keeps what was read; a file that is being written is never read. */
export async function keepManifest(path: string, { manifest, readAt }: KeptManifest): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  const text = JSON.stringify({ readAt: readAt === null ? null : toIso(readAt), manifest });
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, path);
}

/**
 * Reads what was kept, or a manifest alone. Null: there is no such file.
 *
 * @throws UserError for a file that is neither
 */
export async function readKept(path: string): Promise<KeptManifest | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new UserError(`${path} can't be read: ${(error as Error).message}`, { cause: error });
  }
  const content = parsed(text);
  if (isManifest(content)) return { manifest: content, readAt: null };
  if (isPlainObject(content) && isManifest(content.manifest))
    return { manifest: content.manifest, readAt: fromIso(String(content.readAt)) };
  throw new UserError(
    `${path} is no manifest: a JSON object with version 1 and jobs was expected, as \`fl plan\` keeps it. Delete it, or name another with --manifest FILE`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What is asked of each job is what the comparison can't do without. */
function isManifest(value: unknown): value is PublishedManifest {
  if (!isPlainObject(value) || value.version !== 1 || !Array.isArray(value.jobs)) return false;
  return value.jobs.every(
    (job) =>
      isPlainObject(job) &&
      ['id', 'file', 'description', 'specId'].every((field) => typeof job[field] === 'string') &&
      isPlainObject(job.spec),
  );
}
