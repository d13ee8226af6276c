import type { Spec } from '../../domain/schedule/index.ts';
import { inWords } from '../../domain/schedule-words.ts';
import { toIso } from '../../domain/time.ts';
import type { NextFire } from '../next-fires.ts';
import { clockWords } from './clock-words.ts';
import type { Look } from './look.ts';
import { type Row, tableText } from './table.ts';
import { oneLine } from './text.ts';
import { localText, spanText } from './times.ts';

/** When a job, or a schedule that is tried out, is due next. */
export interface Answer {
  readonly title: string;
  readonly spec: Spec;
  readonly fires: readonly NextFire[];
  /** Valid, and probably not meant. */
  readonly warnings: readonly string[];
}

interface Surroundings {
  readonly look: Look;
  readonly now: number;
}

/** One job, its fires one below the other, and between them the changes of the clocks. */
export function oneText({ title, spec, fires, warnings }: Answer, { look, now }: Surroundings): string {
  const { colors } = look;
  const heading = `${colors.bold(oneLine(title))}  ${oneLine(inWords(spec))} (${spec.timezone})`;
  const rows = fires.flatMap((fire) => [
    ...fire.changes.map((change) => ({ cells: [], note: colors.yellow(clockWords(change)) })),
    rowOf(fire, { spec, look, now }),
  ]);
  const head = ['LOCAL', 'UTC', 'IN', ...(fires.some((fire) => noteOf(fire) !== '') ? ['NOTE'] : [])];
  const table = rows.length === 0 ? 'never due again' : tableText(head, rows, { look, wraps: ['NOTE'] });
  return [
    heading,
    table,
    ...warnings.map((warning) => `${colors.yellow('warning')} ${oneLine(warning)}`),
  ].join('\n');
}

function rowOf(fire: NextFire, { spec, look, now }: Surroundings & { spec: Spec }): Row {
  const cells = [...whenOf(fire.at, spec.timezone, now), noteOf(fire)];
  return { cells: fire.excluded === null ? cells : cells.map((cell) => look.colors.dim(cell)) };
}

/** Each job's first fire. */
export function allText(all: readonly Answer[], { look, now }: Surroundings): string {
  if (all.length === 0) return 'There is no job. A job is a file under functions/jobs/.';
  const rows = all.flatMap(({ title, spec, fires }) => {
    const job = [look.colors.bold(title), oneLine(inWords(spec))];
    if (fires.length === 0) return [{ cells: [...job, 'never', '-', '-'] }];
    return fires.map((fire) => {
      const note = noteOf(fire);
      const cells = [...job, ...whenOf(fire.at, spec.timezone, now)];
      return note === '' ? { cells } : { cells, note };
    });
  });
  return tableText(['JOB', 'SCHEDULE', 'LOCAL', 'UTC', 'IN'], rows, { look, wraps: ['SCHEDULE'] });
}

function whenOf(fire: number, timezone: string, now: number): string[] {
  return [localText(fire, timezone), toIso(fire), fire > now ? spanText(fire - now) : 'past'];
}

function noteOf({ movedFrom, showing, excluded }: NextFire): string {
  const [moved] = movedFrom;
  const others = movedFrom.length > 1 ? ` and ${movedFrom.length - 1} more` : '';
  return [
    moved === undefined ? '' : `for ${moved.slice(11, 16)}${others}, which the clock skips`,
    showing === null ? '' : `${showing} of two`,
    excluded === null ? '' : `excluded: ${oneLine(excluded)}`,
  ]
    .filter((note) => note !== '')
    .join('; ');
}
