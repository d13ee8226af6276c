/** A stretch of time: from its first instant to the one at which it is over, epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

export function lengthOf({ from, until }: Span): number {
  return until - from;
}

/** What two stretches have in common; null when that is nothing. */
export function common(a: Span, b: Span): Span | null {
  const both = { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) };
  return both.from < both.until ? both : null;
}

/** For how long any of these, which don't overlap among themselves, go on at the same time as any of those, in milliseconds. */
export function commonMs(these: readonly Span[], those: readonly Span[]): number {
  const parts = these.flatMap((one) => those.map((other) => common(one, other)));
  return parts.reduce((sum, part) => sum + (part === null ? 0 : lengthOf(part)), 0);
}
