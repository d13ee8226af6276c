import { allowed, type Field, type Report, sorted, valuesOf } from './cron-field.ts';
import { ScheduleError } from './schedule-error.ts';

/** More than any readable expression needs; keeps the work on hostile text small. */
const LONGEST = 512;

/** One field of an expression as it stands in the text, upper case. */
export interface Word {
  readonly text: string;
  /** Index in the expression. */
  readonly at: number;
}

/** Reads an expression's fields one by one, and collects every mistake before it throws. */
export class CronText {
  readonly #expression: string;
  readonly #problems: string[] = [];

  constructor(expression: string) {
    this.#expression = expression;
    if (expression.length > LONGEST) {
      throw new ScheduleError([
        `schedule: an expression of ${expression.length} characters; allowed are ${LONGEST}`,
      ]);
    }
  }

  /** A plain field: `*`, numbers, names, ranges, steps and lists of them. */
  values(word: Word, field: Field): number[] {
    const found: number[] = [];
    this.eachItem(word, field, (item, report) => found.push(...valuesOf(item, field, report)));
    return sorted(found);
  }

  eachItem(word: Word, field: Field, read: (item: string, report: Report) => void): void {
    let at = word.at;
    for (const item of word.text.split(',')) {
      const place = at;
      read(item, (part, why) => this.#report(field, part, why, place + Math.max(0, item.indexOf(part))));
      at += item.length + 1;
    }
  }

  problem(text: string): void {
    this.#problems.push(`schedule: ${text} in "${this.#expression}"`);
  }

  /** @throws ScheduleError when anything was reported */
  finish(): void {
    if (this.#problems.length > 0) throw new ScheduleError(this.#problems);
  }

  #report(field: Field, part: string, why: string, at: number): void {
    const place = `character ${at + 1} of "${this.#expression}"`;
    this.#problems.push(`${field.name}: "${part}" ${why} (${place}); allowed are ${allowed(field)}`);
  }
}

/** The blank-separated words of a text, upper case; `offset` is where the text begins in the expression. */
export function wordsOf(text: string, offset: number): Word[] {
  return [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0].replace(/[a-z]/g, (letter) => letter.toUpperCase()),
    at: offset + match.index,
  }));
}
