import path from 'node:path';
import { zoneProblem } from '../../domain/schedule/index.ts';
import { oneLine } from '../render/text.ts';
import { UserError } from '../user-error.ts';
import { type Carried, carry, timezoneOf } from './carry.ts';
import { type Found, type Reading, type Refused, UnreadableFile } from './found.ts';
import { jobIdsOf } from './job-ids.ts';
import { jobText } from './job-text.ts';
import { readSchedules, textOfFile } from './read-file.ts';

/** A job that a schedule becomes. */
export interface ImportedJob extends Carried {
  readonly id: string;
  /** Where its file is, or would be, written. */
  readonly path: string;
  readonly text: string;
  /** `crontab:12` */
  readonly source: string;
}

/** What can't become a job, and where it stands. */
export interface Left extends Omit<Refused, 'line'> {
  readonly source: string;
}

export interface Import {
  readonly jobs: readonly ImportedJob[];
  readonly left: readonly Left[];
  /** Files that hold no schedule. */
  readonly without: readonly string[];
}

interface ImportOptions {
  readonly out: string;
  /** For schedules that say none. */
  readonly timezone: string | undefined;
  readonly now: number;
  readonly input: NodeJS.ReadableStream;
}

interface Source extends Reading {
  readonly label: string;
}

/**
 * Reads every schedule of the files; writes nothing.
 *
 * @throws UserError when a file can't be read at all, when there is no schedule, and when only a person can tell the zone
 */
export async function importFiles(files: readonly string[], options: ImportOptions): Promise<Import> {
  const { timezone: asked, now, out } = options;
  const problem = asked === undefined ? null : zoneProblem(asked);
  if (problem !== null) throw new UserError(`--${problem}`);
  const sources = await readAll([...new Set(files)], options.input);
  const without = sources.filter(({ found, refused }) => found.length + refused.length === 0);
  if (without.length === sources.length) throw new UserError(`${labels(without)}: ${noSchedule}`);
  refuseWithoutZone(sources, asked);
  const tried = sources.map(({ found, ...source }) => ({
    ...source,
    results: found.map((one) => carry(one, timezoneOf(one, asked) ?? 'UTC', { asked, now })),
  }));
  const carried = tried.flatMap(({ label, results }) =>
    results.flatMap((one) => ('spec' in one ? [{ ...one, source: `${label}:${one.found.line}` }] : [])),
  );
  const ids = jobIdsOf(carried.map((job) => job.found.name));
  return {
    without: without.map(({ label }) => label),
    jobs: carried.map((job, index) => jobOf(job, ids[index] ?? '', out)),
    left: tried.flatMap(({ label, refused, results }) =>
      [...refused, ...results.flatMap((one) => ('spec' in one ? [] : [one]))]
        .sort((one, other) => one.line - other.line)
        .map((one) => leftOf(one, label)),
    ),
  };
}

async function readAll(files: readonly string[], input: NodeJS.ReadableStream): Promise<Source[]> {
  const [sources, problems]: [Source[], string[]] = [[], []];
  for (const file of files) {
    const label = labelOf(file);
    try {
      const reading = readSchedules(await textOfFile(file, input), file);
      sources.push({ ...reading, label });
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      problems.push(`${label}${error.line === null ? '' : `:${error.line}`}: ${oneLine(error.message)}`);
    }
  }
  if (problems.length > 0)
    throw new UserError(`nothing was written:\n${problems.map((one) => `  ${one}`).join('\n')}`);
  return sources;
}

function labels(sources: readonly { label: string }[]): string {
  return [...new Set(sources.map(({ label }) => label))].join(', ');
}

const noSchedule =
  'no schedule there; read are crontabs, CronJobs of Kubernetes, and the schedules of CloudFormation, SAM and serverless.yml';

/** Below the working folder as it is, elsewhere its name alone: what is written into job files names no machine's folders. */
function labelOf(file: string): string {
  if (file === '-') return 'standard input';
  const relative = path.relative('.', file);
  const inside = !relative.startsWith('..') && !path.isAbsolute(relative);
  return oneLine(inside ? relative.replaceAll(path.sep, '/') : path.basename(file));
}

function refuseWithoutZone(sources: readonly Source[], asked: string | undefined): void {
  const lacksZone = (found: Found) => timezoneOf(found, asked) === null;
  const lacking = sources.filter(({ found }) => found.some(lacksZone));
  const first = lacking[0]?.found.find(lacksZone);
  if (first === undefined) return;
  throw new UserError(
    `nothing was written: ${labels(lacking)} says no zone (CRON_TZ=; TZ= holds for the commands alone), so its times are those of the machine that ran it, from line ${first.line} on; add that zone, such as --timezone Europe/Berlin or --timezone UTC`,
  );
}

function jobOf(job: Carried & { source: string }, id: string, out: string): ImportedJob {
  // A file whose name begins with _ is no job yet.
  const name = job.found.off === undefined ? `${id}.ts` : `${id.replace(/([^/]+)$/, '_$1')}.ts`;
  return { ...job, id, path: path.join(out, name), text: jobText(job, job.source) };
}

function leftOf({ line, what, why }: Refused, label: string): Left {
  return { source: `${label}:${line}`, what: oneLine(what), why: oneLine(why) };
}
