import stringWidth from 'string-width';
import type { Check, CheckGroup, Verdict } from '../doctor/check.ts';
import type { Look } from './look.ts';
import { counted, oneLine } from './text.ts';
import { wrapped } from './wrapped.ts';

const marks: Readonly<Record<Verdict, { mark: string; tone: 'green' | 'yellow' | 'red' | 'dim' }>> = {
  fine: { mark: '✓', tone: 'green' },
  note: { mark: '!', tone: 'yellow' },
  person: { mark: '?', tone: 'yellow' },
  wrong: { mark: '✗', tone: 'red' },
  unknown: { mark: '-', tone: 'dim' },
};
const mostItems = 10;

/** What is fine takes a line each; what isn't stands out, with what it is about and what to do. The last line sums up. */
export function doctorText(groups: readonly CheckGroup[], look: Look): string {
  const width = Math.max(...groups.flatMap(({ checks }) => checks.map(({ name }) => stringWidth(name))));
  const blocks = groups.map(({ title, checks }) =>
    [look.colors.bold(oneLine(title)), ...checks.flatMap((check) => checkLines(check, { width, look }))].join(
      '\n',
    ),
  );
  return [...blocks, summary(groups, look)].join('\n\n');
}

function checkLines(
  { name, verdict, says, items = [], todo }: Check,
  { width, look }: { width: number; look: Look },
): string[] {
  const { mark, tone } = marks[verdict];
  const tint = look.colors[tone];
  const indent = ' '.repeat(width + 6);
  const [first = '', ...others] = wrapped(oneLine(says), look.width, indent);
  const head = `  ${tint(mark)} ${name.padEnd(width)}  ${verdict === 'fine' ? first.trim() : tint(first.trim())}`;
  const shown = items
    .slice(0, mostItems)
    .flatMap((item) => wrapped(`· ${oneLine(item)}`, look.width, indent, `${indent}  `));
  const more =
    items.length > mostItems ? [`${indent}· and ${items.length - mostItems} more (--json names all)`] : [];
  const next = todo === undefined ? [] : wrapped(`→ ${todo}`, look.width, indent, `${indent}  `);
  return [
    head,
    ...others.map((line) => (verdict === 'fine' ? line : tint(line))),
    ...shown,
    ...more,
    ...next,
  ];
}

function summary(groups: readonly CheckGroup[], { colors }: Look): string {
  const { wrong, person, note } = countsOf(groups);
  const notes = note === 0 ? '' : ` ${counted(note, 'note')}.`;
  if (wrong === 0 && person === 0) return `${colors.green('Nothing is wrong.')}${notes}`;
  const parts = [
    wrong === 0 ? '' : colors.red(`${counted(wrong, 'thing')} ${wrong === 1 ? 'is' : 'are'} wrong.`),
    person === 0 ? '' : colors.yellow(`${wrong === 0 ? 'All works; a' : 'A'} person must decide.`),
  ];
  return `${parts.filter((part) => part !== '').join(' ')}${notes}`;
}

function countsOf(groups: readonly CheckGroup[]): Readonly<Record<Verdict, number>> {
  const all = groups.flatMap(({ checks }) => checks);
  const count = (of: Verdict) => all.filter(({ verdict }) => verdict === of).length;
  return {
    fine: count('fine'),
    note: count('note'),
    person: count('person'),
    wrong: count('wrong'),
    unknown: count('unknown'),
  };
}

/** For scripts: how many checks have each verdict, and the checks, each with its group. */
export function doctorJson(groups: readonly CheckGroup[]): Readonly<Record<string, unknown>> {
  return {
    verdicts: countsOf(groups),
    checks: groups.flatMap(({ title, checks }) => checks.map((check) => ({ group: title, ...check }))),
  };
}
