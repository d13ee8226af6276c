import { StepError } from '../../domain/step-errors.ts';

const longestName = 100;
/** Letters, marks, digits, punctuation, symbols and blanks: nothing that a terminal would obey. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

/** The names of an attempt's steps. Each stands for one step of the run, so that a later attempt knows it again. */
export class StepNames {
  readonly #used = new Set<string>();

  /** @throws StepError for a name that no step may have, and for one that another step of this attempt has */
  take(name: string, call: string): void {
    const problem = problemOf(name);
    if (problem !== null)
      throw new StepError(
        `${call}: the name ${problem}; allowed are 1 to ${longestName} printable characters without #`,
      );
    if (this.#used.has(name))
      throw new StepError(
        `${call}: this attempt has another step of that name; put into it what tells them apart, such as ${JSON.stringify(`${name} 2`)}, or use ctx.map`,
      );
    this.#used.add(name);
  }

  /** Its step failed and left nothing behind: the code may try it again. */
  giveBack(name: string): void {
    this.#used.delete(name);
  }
}

function problemOf(name: unknown): string | null {
  if (typeof name !== 'string') return `is a ${typeof name}`;
  if (name === '') return 'is empty';
  if (name.length > longestName) return `has ${name.length} characters`;
  if (name.includes('#')) return 'has a #';
  return printable.test(name) ? null : 'has characters that can not be printed';
}
