import { printable } from '../../catalog/problem.ts';
import { formatDuration, type Schedule } from '../../domain/schedule/index.ts';
import type { Carried } from './carry.ts';
import type { System } from './found.ts';

/** As formatted in this repository. */
const lineWidth = 110;

/** A job file. It loads, and fails each fire until its work is written. `source` names the place for people. */
export function jobText({ found, spec, description, lost }: Carried, source: string): string {
  const { schedules, timezone, from, until, dst } = spec;
  const schedule = schedules.map(scheduleCode);
  const isLocal = schedules.some(({ kind }) => kind !== 'every') || (from ?? until) !== undefined;
  const imported = ['defineJob', ...schedules.map(({ kind }) => kind)].sort();
  return `${[
    `import { ${[...new Set(imported)].join(', ')} } from '#job';`,
    '',
    ...comment([`Imported from ${source}. It ran:`, ...indented(found.ran), ...lostLines(lost)]),
    'export default defineJob({',
    `  description: ${literal(description)},`,
    ...(schedule.length === 1 ? [`  schedule: ${schedule[0]},`] : list('  schedule: ', schedule)),
    ...(isLocal ? [`  timezone: ${literal(timezone)},`] : []),
    ...(from === undefined ? [] : [`  from: ${literal(from)},`]),
    ...(until === undefined ? [] : [`  until: ${literal(until)},`]),
    ...(dst === undefined
      ? []
      : [...dstComment(found.system), `  dst: { gap: '${dst.gap}', repeat: '${dst.repeat}' },`]),
    ...questions(found.overlap),
    ...(found.graceMs === undefined ? [] : [`  grace: '${formatDuration(found.graceMs)}',`]),
    ...(found.timeoutMs === undefined ? [] : [`  timeout: '${formatDuration(found.timeoutMs)}',`]),
    ...(found.memoryMb === undefined ? [] : [`  memory: ${found.memoryMb},`]),
    '',
    '  async run() {',
    ...call('    throw new Error(', literal(`What ${source} ran is not written here yet`), ');'),
    '  },',
    '});',
  ].join('\n')}\n`;
}

function scheduleCode(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'cron':
      return `cron(${literal(schedule.expression)})`;
    case 'at':
      return `at(${literal(schedule.local)})`;
    case 'every': {
      const { periodMs, offsetMs } = schedule;
      const offset = offsetMs === 0 ? '' : `, { offset: '${formatDuration(offsetMs)}' }`;
      return `every('${formatDuration(periodMs)}'${offset})`;
    }
    case 'manual':
      return 'manual()';
  }
}

function dstComment(system: System): string[] {
  return [
    `  // As ${system} does when the clocks change. Without this line a time that is skipped is due after the gap,`,
    '  // and one that comes twice is due the first time.',
  ];
}

/** What nobody but the author can answer, with the answer that does least harm; and what its system did. */
function questions(overlap: 'skip' | 'allow'): string[] {
  return [
    "  // Decide: what if nothing started it in time? 'skip' makes none up; 'latest' the newest; 'all' each.",
    "  missed: 'skip',",
    "  // Decide: what if it died half-way? 'park' asks a person; 'rerun' is right if doing it twice does no harm.",
    "  crashed: 'park',",
    "  // What if the one before still runs? 'allow' starts the new one all the same; 'skip' leaves it out.",
    `  overlap: '${overlap}',`,
  ];
}

function lostLines(lost: readonly string[]): string[] {
  return lost.length === 0 ? [] : ['Not carried over:', ...lost.map((sentence) => `  - ${sentence}`)];
}

function indented(text: string): string[] {
  return linesOf(text).map((line) => `  ${line}`);
}

/** Whatever ends a line of code ends one here: nothing that was imported may get out of its comment. */
function linesOf(text: string): string[] {
  return text
    .replaceAll('\t', ' ')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(printable);
}

function comment(lines: readonly string[]): string[] {
  return lines.flatMap(linesOf).map((line) => `// ${line}`.trimEnd());
}

function list(before: string, items: readonly string[]): string[] {
  const one = `${before}[${items.join(', ')}],`;
  return one.length <= lineWidth ? [one] : [`${before}[`, ...items.map((item) => `    ${item},`), '  ],'];
}

function call(before: string, argument: string, after: string): string[] {
  const one = `${before}${argument}${after}`;
  return one.length <= lineWidth ? [one] : [before, `      ${argument},`, `    ${after}`];
}

/** In single quotes unless that takes more escapes, as the formatter has it. */
function literal(text: string): string {
  const double = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  const [singles, doubles] = ["'", '"'].map((quote) => text.split(quote).length);
  if (singles !== undefined && doubles !== undefined && singles > doubles) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
