import { printable } from '../../catalog/problem.ts';

export { counted } from '../../domain/words.ts';

/** Text of whatever origin on one line, without what a terminal would obey. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}

/** The first `most` of some names, and how many there are besides: `a, b and 4 more`. */
export function named(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
