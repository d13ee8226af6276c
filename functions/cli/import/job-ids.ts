import { longestJobId } from '../../domain/names.ts';

/** A job id for each name, in order: lower-case words with dashes, and `-2`, `-3`… behind what was there before. */
export function jobIdsOf(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const id = uniqueId(idOf(name), taken);
    taken.add(id);
    return id;
  });
}

/** Leaves room for a number behind it. */
const longest = longestJobId - 10;

/** `payments/NightlyReport v2` → `payments/nightly-report-v2` */
function idOf(name: string): string {
  const parts = name
    .split('/')
    .map(slug)
    .filter((part) => part !== '');
  return (
    parts
      .join('/')
      .slice(0, longest)
      .replace(/[-/]+$/, '') || 'job'
  );
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function uniqueId(id: string, taken: ReadonlySet<string>): string {
  let unique = id;
  for (let number = 2; taken.has(unique); number += 1) unique = `${id}-${number}`;
  return unique;
}
