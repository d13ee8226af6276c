import { timetable } from '../../domain/schedule/index.ts';
import { inWords } from '../../domain/schedule-words.ts';
import type { Import, ImportedJob, Left } from '../import/import-files.ts';
import type { Look } from './look.ts';
import { counted, oneLine } from './text.ts';
import { localText } from './times.ts';
import { wrapped } from './wrapped.ts';

interface Surroundings {
  readonly look: Look;
  readonly now: number;
  readonly dryRun: boolean;
}

/** What became of each schedule, and what is left to do. */
export function importText({ jobs, left, without }: Import, surroundings: Surroundings): string {
  const { look, dryRun } = surroundings;
  const parts = [
    ...jobs.map((job) => jobBlock(job, surroundings)),
    ...left.map((one) => leftBlock(one, look)),
    ...(without.length === 0
      ? []
      : [wrapped(`No schedule in ${without.join(', ')}.`, look.width, '').join('\n')]),
    [
      `${dryRun ? 'Would import' : 'Imported'} ${counted(jobs.length, 'schedule')}${left.length === 0 ? '' : `; ${left.length} can't be`}.`,
      ...(jobs.length === 0 ? [] : wrapped(next, look.width, '')),
    ].join('\n'),
  ];
  return parts.join('\n\n');
}

const next =
  "Each file throws until its run() is written, and asks what to do about a missed and a crashed run: it says 'skip' and 'park' until you decide. `fl next` tells when they are due.";

function jobBlock(
  { path, source, found, spec, lost, warnings }: ImportedJob,
  { look, now }: Surroundings,
): string {
  const { colors, width } = look;
  const due = timetable(spec).next(now);
  const when = due === null ? 'never due again' : `next ${localText(due, spec.timezone)}`;
  const item = (sign: string, text: string) => wrapped(`${sign} ${text}`, width, '    ', '      ');
  return [
    `${colors.green('✓')} ${colors.bold(oneLine(path))}  ${colors.dim(source)}`,
    ...wrapped(`${oneLine(inWords(spec))} (${spec.timezone}), ${when}`, width, '    '),
    ...(found.off === undefined
      ? []
      : item('!', `not deployed: ${oneLine(found.off)}; take the _ off its name to start it`).map(
          colors.yellow,
        )),
    ...warnings.flatMap((warning) => item('!', warning)).map(colors.yellow),
    ...(lost.length === 0 ? [] : ['    not carried over:']),
    ...lost.flatMap((sentence) => item('-', sentence)),
  ].join('\n');
}

function leftBlock({ source, what, why }: Left, { colors, width }: Look): string {
  return [`${colors.red('✗')} ${colors.bold(source)}  ${what}`, ...wrapped(why, width, '    ')].join('\n');
}
