import { type Command, Option } from 'commander';
import type { ManifestJob } from '../../domain/manifest.ts';
import { timetable } from '../../domain/schedule/index.ts';
import { inWords } from '../../domain/schedule-words.ts';
import { toIso } from '../../domain/time.ts';
import { instantsOf } from '../instants.ts';
import { type Io, writeJson } from '../io.ts';
import { unknownJob } from '../known-jobs.ts';
import { answerLines } from '../next-batch.ts';
import type { Look } from '../render/look.ts';
import { tableText } from '../render/table.ts';
import { oneLine } from '../render/text.ts';
import { localText, spanText } from '../render/times.ts';
import { UserError } from '../user-error.ts';
import { positive } from './runs.ts';

interface NextOptions {
  readonly count?: number;
  readonly from?: string;
  readonly jobs: string;
  readonly batch?: true;
  readonly json?: true;
}

/** The fires of a job after an instant. */
export interface NextFires {
  readonly job: Pick<ManifestJob, 'id' | 'spec'>;
  readonly fires: readonly number[];
}

export function addNext(fl: Command, io: Io): void {
  fl.command('next')
    .description('when jobs of the working copy are due next; needs no ledger')
    .argument('[job]', 'one job (default: all)')
    .option('--count <count>', 'so many fires (default: 5 of one job, 1 of each of all)', positive)
    .option('--from <time>', 'after this time (default: now)')
    .option('--jobs <dir>', 'the folder of the job files', 'functions/jobs')
    .addOption(
      new Option('--batch', 'answer JSON lines from standard input').conflicts(['count', 'from', 'json']),
    )
    .option('--json', 'answer in JSON')
    .addHelpText(
      'after',
      `
--batch reads {"expression","timezone","from","count","dialect"?,"dst"?} a line and answers {"fires":[...]} or {"error":"..."}.

Examples:
  fl next
  fl next billing/reconcile-payments --count 10 --from 2026-12-31
  echo '{"expression":"0 3 * * *","timezone":"Asia/Taipei","from":"2026-12-01T00:00:00Z","count":3}' | fl next --batch`,
    )
    .action((job: string | undefined, options: NextOptions) => next(job, options, io));
}

async function next(jobId: string | undefined, options: NextOptions, io: Io): Promise<void> {
  if (options.batch && jobId !== undefined)
    throw new UserError('--batch reads its questions from standard input and takes no job');
  if (options.batch) return answerLines(io);
  const jobs = await jobsOf(options.jobs, io);
  if (jobId === undefined) {
    const all = jobs.map((job) => nextOf(job, options, { count: 1, now: io.now() }));
    return options.json ? writeJson(io, all.map(nextJson)) : io.write(`${allText(all, io)}\n`);
  }
  const job = jobs.find((candidate) => candidate.id === jobId);
  if (job === undefined) throw unknownJob(jobId, jobs);
  const one = nextOf(job, options, { count: 5, now: io.now() });
  return options.json ? writeJson(io, nextJson(one)) : io.write(`${oneText(one, io)}\n`);
}

async function jobsOf(jobsDir: string, io: Io): Promise<readonly ManifestJob[]> {
  // Only here: it brings the bundler along.
  const { loadCatalog } = await import('../../catalog/index.ts');
  const { manifest } = await loadCatalog({ jobsDir, now: io.now() });
  return manifest.jobs;
}

function nextOf(job: ManifestJob, options: NextOptions, by: { count: number; now: number }): NextFires {
  const { from: text, count = by.count } = options;
  const due = timetable(job.spec);
  const fires: number[] = [];
  const from = text === undefined ? by.now : instantsOf(text, job.spec.timezone, '--from')[0];
  for (let fire = due.next(from); fire !== null && fires.length < count; fire = due.next(fire))
    fires.push(fire);
  return { job, fires };
}

function nextJson({ job, fires }: NextFires): Readonly<Record<string, unknown>> {
  const { id, spec } = job;
  return { job: id, schedule: inWords(spec), timezone: spec.timezone, fires: fires.map(toIso) };
}

export function oneText({ job, fires }: NextFires, { look, now }: { look: Look; now: () => number }): string {
  const { timezone } = job.spec;
  const heading = `${look.colors.bold(job.id)}  ${oneLine(inWords(job.spec))} (${timezone})`;
  if (fires.length === 0) return `${heading}\nnever due again`;
  const rows = fires.map((fire) => ({ cells: whenOf(fire, timezone, now()) }));
  return `${heading}\n${tableText(['LOCAL', 'UTC', 'IN'], rows, { look })}`;
}

export function allText(all: readonly NextFires[], { look, now }: { look: Look; now: () => number }): string {
  if (all.length === 0) return 'There is no job. A job is a file under functions/jobs/.';
  const rows = all.flatMap(({ job, fires }) => {
    const { timezone } = job.spec;
    const when =
      fires.length === 0 ? [['never', '-', '-']] : fires.map((fire) => whenOf(fire, timezone, now()));
    return when.map((cells) => ({ cells: [job.id, oneLine(inWords(job.spec)), ...cells] }));
  });
  return tableText(['JOB', 'SCHEDULE', 'LOCAL', 'UTC', 'IN'], rows, { look, wraps: ['SCHEDULE'] });
}

function whenOf(fire: number, timezone: string, now: number): string[] {
  return [localText(fire, timezone), toIso(fire), fire > now ? spanText(fire - now) : 'past'];
}
