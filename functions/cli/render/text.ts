import { printable } from '../../catalog/problem.ts';

/** Text of whatever origin on one line, without what a terminal would obey. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}

/** `1 fire`, `1,200 fires`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
