import type { RunChange } from '../../domain/ledger.ts';
import type { Attempt } from '../../domain/run.ts';

/**
 * A run's attempts are kept as a log: a line of JSON when one starts, and another with the same number when it ends. So
 * both are the same small append, of a list of texts, which costs a fraction of what a list of maps does.
 */
export function lineOf(part: Attempt | NonNullable<RunChange['settle']>): string {
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
