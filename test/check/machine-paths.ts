import os from 'node:os';
import type { TextRule } from './text-rules.ts';

const instead = 'name no folder of a machine';
const before = '(?<![\\w.~/-])';

/** Home folders, and the very folder in which the check runs. `dir` is absolute. */
export function machinePaths(dir: string): TextRule[] {
  const own = [dir, os.homedir()].filter((folder) => folder.split(/[\\/]/).filter(Boolean).length > 1);
  return [
    { pattern: new RegExp(`${before}/(home|Users)/[a-z][\\w.-]*`, 'g'), instead },
    { pattern: new RegExp(`${before}/root/[\\w.-]+`, 'g'), instead },
    { pattern: /\b[A-Z]:\\+Users\\+\w+/g, instead },
    ...own.map((folder) => ({ pattern: new RegExp(`${before}${escaped(folder)}\\b`, 'g'), instead })),
  ];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
