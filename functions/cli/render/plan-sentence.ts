import { printable } from '../../catalog/problem.ts';
import { everyLook, type Look } from '../../domain/changes/index.ts';
import { counted } from './text.ts';
import { wrapped } from './wrapped.ts';

/** What a change means, as one sentence without a full stop. */
export interface Sentence {
  readonly text: string;
  /** Why a person should look at it; absent: it is told, and no more. */
  readonly look?: Look;
}

/** What everything is told with. */
export interface Told {
  readonly now: number;
  /** For so many days fires are compared. */
  readonly days: number;
  /** Jobs that are removed while their file is still there. */
  readonly leftOut: ReadonlySet<string>;
}

export function say(text: string, look?: Look): Sentence[] {
  return [{ text, ...(look && { look }) }];
}

/** A sentence about some things; none, where there are none. */
export function sayOf(some: readonly unknown[], text: string, look?: Look): Sentence[] {
  return some.length === 0 ? [] : say(text, look);
}

/** Of anything, so many are named. */
export const mostNamed = 3;

export function worstFirst(sentences: readonly Sentence[]): Sentence[] {
  const rank = ({ look }: Sentence) => (look === undefined ? everyLook.length : everyLook.indexOf(look));
  return [...sentences].sort((a, b) => rank(a) - rank(b));
}

/** `1 fire`, `7 fires` */
export function amount(of: readonly unknown[], noun: string): string {
  return counted(of.length, noun);
}

/** The form for one of them, or that for several. */
export function either(of: readonly unknown[] | number, one: string, many: string): string {
  return (typeof of === 'number' ? of : of.length) === 1 ? one : many;
}

const noBreak = '\u00a0';

/** A text, such as a time with its offset, that no line ends within. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', noBreak);
}

/** A sentence of whatever origin on one line, without what a terminal would obey. */
export function sentenceText({ text }: Sentence): string {
  return printable(text.replace(/\s+/g, ' '));
}

/** The same in lines. */
export function sentenceLines({ text }: Sentence, width: number): string[] {
  const words = printable(text.replace(/[^\S\u00a0]+/g, ' '));
  return wrapped(words, width, '    ', '      ').map((line) => line.replaceAll(noBreak, ' '));
}
