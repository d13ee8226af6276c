import type { RunChange } from '../../domain/ledger.ts';
import type { Attempt } from '../../domain/run.ts';

type Part = Attempt | NonNullable<RunChange['settle' | 'measured']>;

/**
 * A run's attempts are kept as a log: a line of JSON when one starts, and others with the same number when it was measured
 * and when it ended. So each is the same small append, of a list of texts, which costs a fraction of what a list of maps
 * does.
 */
export function lineOf(part: Part): string {
  return JSON.stringify(part);
}

export function attemptsOf(lines: readonly string[]): Attempt[] {
  const attempts = new Map<number, Attempt>();
  for (const line of lines) {
    const part: Attempt = JSON.parse(line);
    attempts.set(part.number, { ...attempts.get(part.number), ...part });
  }
  return [...attempts.values()];
}
