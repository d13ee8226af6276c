import { closest, distance } from 'fastest-levenshtein';

/** The known name that a misspelt one most likely means; null when none is near. */
export function nearest(wrong: string, known: readonly string[]): string | null {
  const folded = wrong.toLowerCase();
  const best = closest(
    folded,
    known.map((name) => name.toLowerCase()),
  );
  const name = known.find((candidate) => candidate.toLowerCase() === best);
  if (name === undefined) return null;
  return distance(folded, best) <= Math.max(2, Math.floor(name.length / 3)) ? name : null;
}

/** `did you mean "crashed"?`, or the whole list when nothing is near. */
export function suggestion(wrong: string, known: readonly string[], what: string): string {
  const name = nearest(wrong, known);
  return name === null ? `${what} are ${known.join(', ')}` : `did you mean "${name}"?`;
}
