import { localTime } from '../schedule/index.ts';
import { wallText } from '../words.ts';

/** Longer texts of others are cut. */
const longestText = 300;

/** Text of whatever origin on one line: nothing in it that a terminal or a mail program would obey. */
export function plain(text: string, longest = longestText): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest).toWellFormed()}…`;
}

/** SNS takes subjects of less than 100 ASCII characters, without control characters. */
const longestSubject = 99;

export function subjectOf(text: string): string {
  const ascii = plain(text).replace(/[^ -~]/g, '?');
  return ascii.length <= longestSubject ? ascii : `${ascii.slice(0, longestSubject - 3)}...`;
}

/** `2026-11-30 14:00 -05:00 (America/New_York)`; seconds only where they aren't 0. */
export function zonedText(instant: number, timezone: string): string {
  const wall = wallText(instant, timezone);
  return timezone === 'UTC'
    ? `${wall} UTC`
    : `${wall} ${localTime(instant, timezone).slice(19)} (${timezone})`;
}

/** On one's own machine `fl` finds the ledger of `npm start` by itself. */
const localStage = 'local';

/** The command line that does this, in a clone of the repository: `npm run -s fl -- why … --stage prod`. */
export function flCommand(stage: string, words: string): string {
  return `npm run -s fl -- ${words}${stage === localStage ? '' : ` --stage ${stage}`}`;
}

/** Indented lines, the names of the facts in a column. */
export function factLines(facts: readonly (readonly [name: string, fact: string])[]): string[] {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, fact]) => `  ${name.padEnd(width)}  ${fact}`);
}
