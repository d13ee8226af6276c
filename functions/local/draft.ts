import { rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that is to take another's place by a link or a rename, so that its readers see it whole. Always a new
 * file, for its owner alone: what lies there already, such as a link to somewhere else, is removed and not written through.
 */
export function writeDraft(path: string, text: string): void {
  rmSync(path, { force: true });
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
