import type { Look } from '../../cli/render/look.ts';
import { tableText } from '../../cli/render/table.ts';
import { counted, oneLine } from '../../cli/render/text.ts';
import { spanText } from '../../cli/render/times.ts';
import { minute, second, toIso } from '../../domain/time.ts';
import { faultTable } from '../faults.ts';
import type { Violation } from '../observe.ts';
import type { TraceLine } from '../trace.ts';
import type { Story } from './story.ts';

/** The lines of a story in columns, and last the promise that it broke. */
export function storyText(story: Story, look: Look, violation?: Violation): string {
  const { colors } = look;
  const { fireTime, lines, otherStrikes, leftOut } = story;
  const when = (at: number) => [
    preciseIso(at),
    ...(fireTime === undefined ? [] : [sinceText(at - fireTime)]),
  ];
  const rows = lines.map((line) => ({ cells: [...when(line.at), ...happened(line, look)] }));
  if (violation !== undefined)
    rows.push({
      cells: [
        ...when(violation.at),
        colors.red('✗ broken'),
        colors.red(oneLine(`${violation.invariant}: ${violation.what}`)),
      ],
    });
  const head = ['TIME', ...(fireTime === undefined ? [] : ['SINCE DUE']), 'WHO', 'WHAT'];
  const notes = [
    otherStrikes === 0 ? '' : `${counted(otherStrikes, 'strike')} at other times`,
    leftOut === 0 ? '' : `${counted(leftOut, 'line')} more`,
  ].filter((note) => note !== '');
  const table = tableText(head, rows, { look, wraps: ['WHAT'] });
  return notes.length === 0 ? table : `${table}\n${colors.dim(`(not shown: ${notes.join(', ')})`)}`;
}

/** A line of a whole trace: `2026-12-01T03:00:00.250Z  sandbox 12  began  billing/close-month#2026-12-01T03:00:00Z`. */
export function lineText(line: TraceLine, look: Look): string {
  const about = line.run === undefined ? [] : [look.colors.dim(oneLine(line.run))];
  return [preciseIso(line.at), ...happened(line, look), ...about].join('  ');
}

function happened({ actor, what, strike }: TraceLine, { colors }: Look): string[] {
  if (strike === undefined) return [oneLine(actor), oneLine(what)];
  const { fault, place } = strike;
  return [
    colors.yellow('! fault'),
    colors.yellow(`${fault} (strike ${place + 1}): ${faultTable[fault].what}`),
  ];
}

/** `2026-12-01T03:00:00.250Z` */
export function preciseIso(at: number): string {
  return `${toIso(at).slice(0, -1)}.${String(at % second).padStart(3, '0')}Z`;
}

/** `+0.250 s`, `-48.000 s`, `+2 min 5 s` */
export function sinceText(ms: number): string {
  const sign = ms < 0 ? '-' : '+';
  const size = Math.abs(ms);
  return sign + (size < minute ? `${(size / second).toFixed(3)} s` : spanText(size));
}
