import { InvalidArgumentError } from 'commander';
import { nearest } from '../../catalog/nearest.ts';

/** Names between commas, each of them known. `what`: `Faults`. @throws InvalidArgumentError */
export function listOf<Name extends string>(text: string, known: readonly Name[], what: string): Name[] {
  const names = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const unknown = names.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined) throw new InvalidArgumentError(refusal(unknown, known, what));
  if (names.length === 0) throw new InvalidArgumentError(`${what} are ${known.join(', ')}.`);
  return known.filter((name) => names.includes(name));
}

function refusal(unknown: string, known: readonly string[], what: string): string {
  const near = nearest(unknown, known);
  const hint = near === null ? '' : ` Did you mean "${near}"?`;
  return `There is no "${unknown}".${hint} ${what} are ${known.join(', ')}.`;
}

/** @throws InvalidArgumentError for what isn't a whole number in the range, both ends included */
export function wholeIn(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Allowed is a whole number from ${least} to ${most}.`);
  };
}
