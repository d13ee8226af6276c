import { openSync, readSync, writeSync } from 'node:fs';

/** A file by which Linux tells about a process, and may be told. Kept open, since opening is what takes time. */
export interface ProcessFile {
  /** The number after a label; undefined where the file, or the label, isn't there. */
  readonly numberAfter: (label: string) => number | undefined;
  /** False where it can't be written. */
  readonly write: (text: string) => boolean;
}

/** Larger than any of them. */
const buffer = Buffer.alloc(8 * 1024);

export function processFile(name: 'io' | 'status' | 'clear_refs'): ProcessFile {
  const file = orNull(() => openSync(`/proc/self/${name}`, name === 'clear_refs' ? 'w' : 'r'));
  const text = () => {
    const size = file === null ? null : orNull(() => readSync(file, buffer, 0, buffer.length, 0));
    return buffer.toString('latin1', 0, size ?? 0);
  };
  return {
    numberAfter: (label) => {
      const [, rest] = text().split(label, 2);
      return rest === undefined ? undefined : Number.parseInt(rest, 10);
    },
    write: (order) => file !== null && orNull(() => writeSync(file, order)) !== null,
  };
}

/** A system without such files, or one that keeps them to itself, makes a bill shorter; that is no failure. */
function orNull<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
