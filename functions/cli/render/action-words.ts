import type { Action } from '../../domain/action.ts';
import { fromIso } from '../../domain/time.ts';
import { counted, oneLine } from './text.ts';
import { localText } from './times.ts';

/** What else was said, and why it was done: `until 2026-12-01 12:00 +08:00: “the bank is closed”`. May be empty. */
export function howText({ details = {}, note }: Action, timezone: string): string {
  const how = Object.entries(details)
    .sort(([a], [b]) => inOrder.indexOf(a) - inOrder.indexOf(b))
    .map(([name, value]) => detailText(name, value, timezone))
    .join(', ');
  const why = note === undefined ? '' : `“${oneLine(note)}”`;
  return [how, why].filter((part) => part !== '').join(': ');
}

/** A store keeps no order. */
const inOrder = ['fires', 'only', 'from', 'to', 'order', 'as', 'stepDone'];

type Detail = NonNullable<Action['details']>[string];

function detailText(name: string, value: Detail, timezone: string): string {
  switch (name) {
    case 'keepsSteps':
      return value === true ? 'after the steps that it had done' : 'from its beginning';
    case 'stepDone':
      return value === true ? 'its step was done' : 'its step was not done';
    case 'fires':
      return counted(Number(value), 'fire');
    case 'order':
      return value === 'oldest-first' ? 'oldest first' : 'newest first';
    case 'messages':
      return counted(Number(value), 'message');
    case 'backfilled':
      return `${counted(Number(value), 'fire')} that waited to be made up`;
    default:
      return oneLine(`${name} ${instantText(value, timezone)}`);
  }
}

function instantText(value: Detail, timezone: string): string {
  const instant = typeof value === 'string' ? fromIso(value) : null;
  return instant === null ? String(value) : localText(instant, timezone);
}
