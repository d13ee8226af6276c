import stringWidth from 'string-width';
import type { Changes, JobChange } from '../../domain/changes/index.ts';
import { toIso } from '../../domain/time.ts';
import type { Look } from './look.ts';
import { jobSentences } from './plan-job.ts';
import { poolSentences } from './plan-pools.ts';
import { type Sentence, sentenceLines, type Told } from './plan-sentence.ts';
import { kindOfPool, summaryLines } from './plan-summary.ts';
import { oneLine } from './text.ts';
import { wrapped } from './wrapped.ts';

/** A plan, and what it was made of. */
export interface Planned {
  readonly changes: Changes;
  readonly told: Told;
  /** With what the working copy was compared, in words. */
  readonly against: string;
  readonly warnings: readonly string[];
}

interface Entry {
  readonly mark: '-' | '~' | '+' | '=';
  readonly name: string;
  readonly what: string;
  readonly sentences: readonly Sentence[];
  readonly isLook: boolean;
}

const tones = { '-': 'red', '~': 'yellow', '+': 'green', '=': 'cyan' } as const;
const marks: Readonly<Record<JobChange['kind'], Entry['mark']>> = {
  removed: '-',
  changed: '~',
  added: '+',
  kept: '=',
};
const kinds: Readonly<Record<JobChange['kind'], string>> = {
  removed: 'removed',
  changed: 'changed',
  added: 'added',
  kept: 'as it is',
};

/** First what a person should look at, then all else, and the sum in a last line. */
export function planText(planned: Planned, look: Look): string {
  const entries = entriesOf(planned);
  const [toSee, others] = [entries.filter(({ isLook }) => isLook), entries.filter(({ isLook }) => !isLook)];
  const sections = [
    heading(planned, look),
    section('Look at this before you deploy', toSee, look),
    section(toSee.length > 0 ? 'And this changes' : 'This changes', others, look),
    summaryLines(planned.changes, look),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function heading({ against, warnings, changes }: Planned, look: Look): string[] {
  const { from, to } = changes.range;
  const minute = (at: number) => toIso(at).slice(0, 16).replace('T', ' ');
  return [
    ...wrapped(
      `Compared with ${against}; fires from ${minute(from)} to ${minute(to)} UTC`,
      look.width,
      '',
      '  ',
    ).map(look.colors.dim),
    ...warnings.flatMap((warning) =>
      wrapped(`! ${oneLine(warning)}`, look.width, '', '  ').map(look.colors.yellow),
    ),
  ];
}

function entriesOf({ changes, told }: Planned): Entry[] {
  const jobs = changes.jobs.map(
    (job): Entry => ({
      mark: marks[job.kind],
      name: oneLine(job.id),
      what: kinds[job.kind],
      sentences: jobSentences(job, told),
      isLook: job.looks.length > 0,
    }),
  );
  const pools = changes.pools.map(
    (pool): Entry => ({
      mark: marks[kindOfPool(pool)],
      name: `pool ${oneLine(pool.name)}`,
      what: capacityText(pool),
      sentences: poolSentences(pool, told),
      isLook: pool.looks.length > 0,
    }),
  );
  return [...jobs, ...pools, ...stacksEntry(changes)];
}

function stacksEntry({ jobStacks }: Changes): Entry[] {
  if (jobStacks === undefined) return [];
  const what = `${jobStacks.from} → ${jobStacks.to}`;
  return [{ mark: '~', name: 'jobStacks', what, sentences: [], isLook: false }];
}

function capacityText({ from, to }: Changes['pools'][number]): string {
  if (from === undefined) return `added, capacity ${to}`;
  return to === undefined ? `removed, capacity ${from}` : `capacity ${from} → ${to}`;
}

function section(title: string, entries: readonly Entry[], look: Look): string[] {
  if (entries.length === 0) return [];
  const width = Math.max(...entries.map(({ name }) => stringWidth(name)));
  return [look.colors.bold(title), ...entries.flatMap((entry) => entryLines(entry, width, look))];
}

function entryLines(
  { mark, name, what, sentences }: Entry,
  width: number,
  { width: most, colors }: Look,
): string[] {
  const head = `${colors[tones[mark]](mark)} ${colors.bold(name)}${' '.repeat(width - stringWidth(name))}  ${colors[tones[mark]](what)}`;
  return [
    head,
    ...sentences.flatMap((sentence) => {
      const lines = sentenceLines(sentence, most);
      return sentence.look === undefined ? lines : lines.map(colors.yellow);
    }),
  ];
}
