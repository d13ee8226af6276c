import type { TextRule } from './text-rules.ts';

const code = /\.[cm]?[jt]sx?$/;

/** What says that something is unfinished, or switches a check off. (`any` is refused by the linter.) */
export const marks: readonly TextRule[] = [
  { pattern: /\b(TODO|FIXME)\b/g, instead: 'do it, or open an issue' },
  { pattern: /@ts-(ignore|nocheck|expect-error)\b/g, instead: 'mend the type', files: code },
  {
    pattern: /\b(biome|eslint|prettier)-(ignore|disable)\w*/g,
    instead: 'mend what is complained about',
    files: code,
  },
  {
    pattern: /\b(it|test|describe|suite|bench)(\.\w+)*\.(skip|only|todo)\b/g,
    instead: 'every test runs; skipIf says why one can not',
    files: code,
  },
];
