import { type Command, Option } from 'commander';
import { cron, problems, type Spec, warnings } from '../../domain/schedule/index.ts';
import { inWords } from '../../domain/schedule-words.ts';
import { toIso } from '../../domain/time.ts';
import { instantsOf } from '../instants.ts';
import { type Io, writeJson } from '../io.ts';
import { unknownJob } from '../known-jobs.ts';
import { answerLines } from '../next-batch.ts';
import { nextFireJson, nextFires } from '../next-fires.ts';
import { type Answer, allText, oneText } from '../render/next-text.ts';
import { UserError } from '../user-error.ts';
import { positive } from './runs.ts';

interface NextOptions {
  readonly count?: number;
  readonly from?: string;
  readonly jobs: string;
  readonly expression?: string;
  readonly timezone?: string;
  readonly batch?: true;
  readonly json?: true;
}

export function addNext(fl: Command, io: Io): void {
  fl.command('next')
    .description('when jobs of the working copy, or a schedule to try out, are due next; needs no ledger')
    .argument('[job]', 'one job (default: all)')
    .option('--count <count>', 'so many fires (default: 5 of one job, 1 of each of all)', positive)
    .option('--from <time>', 'after this time (default: now)')
    .option('--jobs <dir>', 'the folder of the job files', 'functions/jobs')
    .option('--expression <text>', 'instead of a job: Unix fields, @daily, cron(…), rate(…) or at(…)')
    .option('--timezone <zone>', 'the zone of --expression, such as Asia/Taipei')
    .addOption(
      new Option('--batch', 'answer JSON lines from standard input').conflicts([
        'count',
        'from',
        'json',
        'expression',
        'timezone',
      ]),
    )
    .option('--json', 'answer in JSON')
    .addHelpText(
      'after',
      `
Shows where the clocks change and what becomes of the job's fires there, and which fires are excluded.

--batch reads {"expression","timezone","from","count","dialect"?,"dst"?} a line and answers {"fires":[...]} or {"error":"..."}.

Examples:
  fl next
  fl next billing/reconcile-payments --count 10 --from 2026-12-31
  fl next --expression '30 2 * * *' --timezone Europe/Berlin --from 2027-03-27T00:00:00Z
  echo '{"expression":"0 3 * * *","timezone":"Asia/Taipei","from":"2026-12-01T00:00:00Z","count":3}' | fl next --batch`,
    )
    .action((job: string | undefined, options: NextOptions) => next(job, options, io));
}

async function next(jobId: string | undefined, options: NextOptions, io: Io): Promise<void> {
  const instead = options.batch ? '--batch' : '--expression';
  if ((options.batch || options.expression !== undefined) && jobId !== undefined)
    throw new UserError(`${instead} stands instead of a job; leave "${jobId}" out`);
  if (options.batch) return answerLines(io);
  if (options.expression !== undefined) return tryOut(options.expression, options, io);
  if (options.timezone !== undefined)
    throw new UserError('--timezone goes with --expression; a job has a zone of its own');
  return nextOfJobs(jobId, options, io);
}

function tryOut(expression: string, options: NextOptions, io: Io): Promise<void> {
  const schedule = cron(expression);
  if (options.timezone === undefined && schedule.kind !== 'every')
    throw new UserError('whose time is meant? Add --timezone Asia/Taipei, or --timezone UTC');
  const spec: Spec = { schedules: [schedule], timezone: options.timezone ?? 'UTC' };
  const found = problems(spec);
  if (found.length > 0) throw new UserError(found.join('\n'));
  return answerOne({ title: expression, spec }, options, io);
}

async function nextOfJobs(jobId: string | undefined, options: NextOptions, io: Io): Promise<void> {
  // Only here: it brings the bundler along.
  const { loadCatalog } = await import('../../catalog/index.ts');
  const { jobs } = (await loadCatalog({ jobsDir: options.jobs, now: io.now() })).manifest;
  const job = jobs.find((candidate) => candidate.id === jobId);
  if (job !== undefined) return answerOne({ title: job.id, spec: job.spec }, options, io);
  if (jobId !== undefined) throw unknownJob(jobId, jobs);
  const all = jobs.map(({ id, spec }) => answerOf({ title: id, spec }, { count: 1, ...options }, io));
  if (options.json)
    return writeJson(
      io,
      all.map((answer) => ({ job: answer.title, ...answerJson(answer) })),
    );
  return io.write(`${allText(all, { look: io.look, now: io.now() })}\n`);
}

type Asked = Pick<Answer, 'title' | 'spec'>;

function answerOne(asked: Asked, options: NextOptions, io: Io): Promise<void> {
  const answer = answerOf(asked, { count: 5, ...options }, io);
  const name = options.expression === undefined ? 'job' : 'expression';
  if (options.json) return writeJson(io, { [name]: answer.title, ...answerJson(answer) });
  return io.write(`${oneText(answer, { look: io.look, now: io.now() })}\n`);
}

function answerOf({ title, spec }: Asked, { count, from }: { count: number; from?: string }, io: Io): Answer {
  const after = from === undefined ? io.now() : instantsOf(from, spec.timezone, '--from')[0];
  return { title, spec, fires: nextFires(spec, after, count), warnings: warnings(spec, io.now()) };
}

function answerJson({ spec, fires, warnings }: Answer): Readonly<Record<string, unknown>> {
  return {
    schedule: inWords(spec),
    timezone: spec.timezone,
    fires: fires.map(({ at }) => toIso(at)),
    details: fires.map((fire) => nextFireJson(fire, spec.timezone)),
    warnings,
  };
}
