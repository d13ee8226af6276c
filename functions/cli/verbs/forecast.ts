import { type Command, InvalidArgumentError } from 'commander';
import { nearest } from '../../catalog/nearest.ts';
import { forecast, groupsOf, isWrong } from '../../domain/forecast/index.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { ManifestJob, PublishedManifest } from '../../domain/manifest.ts';
import { day } from '../../domain/time.ts';
import { endOf, instantsOf, isClockTime, readingZone } from '../instants.ts';
import { type ExitCode, exitCodes, type Io, writeJson } from '../io.ts';
import { deployedJobs } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { pastOf } from '../past-runs.ts';
import { forecastJson } from '../render/forecast-json.ts';
import { type Foreseen, forecastText } from '../render/forecast-text.ts';
import { oneLine } from '../render/text.ts';
import { UserError } from '../user-error.ts';

interface ForecastOptions extends LedgerOptions {
  readonly days: number;
  readonly pool?: string;
  readonly from?: string;
}

const mostDays = 31;

export function addForecast(fl: Command, io: Io, exit: (code: ExitCode) => void): void {
  withLedgerOptions(fl.command('forecast'))
    .description(
      'where pools will be over capacity, which jobs collide and wait, and a spread that avoids it; ends with 1 when it found such',
    )
    .option('--days <days>', `so many days, 1 to ${mostDays}`, wholeDays, 7)
    .option('--pool <name>', 'one pool, and the jobs that have to do with it (default: all)')
    .option('--from <time>', 'from this time; 02:00 is the next there is (default: now)')
    .addHelpText(
      'after',
      `
Plays the deployed jobs' schedules by the rules of admission. Each run takes as long as nine of ten past successes of its
job took at most; of one without a success, its timeout: a guess. Failures, retries and missed fires aren't foreseen.
Times without a zone are the jobs', where all have one, else UTC.

Examples:
  fl forecast
  fl forecast --days 31 --pool reports-db
  fl forecast --from 2026-12-24T00:00:00Z --json`,
    )
    .action((options: ForecastOptions) =>
      usingLedger(options, 'forecast', async (open) => exit(await foresee(open, options, io))),
    );
}

function wholeDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= mostDays) return days;
  throw new InvalidArgumentError(`write a whole number of days from 1 to ${mostDays}.`);
}

async function foresee(open: OpenLedger, options: ForecastOptions, io: Io): Promise<ExitCode> {
  const { ledger, name } = open;
  const now = io.now();
  const manifest = await deployedJobs(ledger, name);
  const { jobs, pools } = concerned(manifest, options.pool);
  const timezone = readingZone(
    jobs.map(({ spec }) => spec.timezone),
    options,
    io,
  );
  const from = options.from === undefined ? now : fromOf(options.from, timezone, now);
  const paused = await pausedJobs(ledger, jobs);
  const running = jobs.filter(({ id }) => !paused.includes(id));
  const past = await pastOf(ledger, running, now);
  const durations = new Map([...past].map(([id, of]) => [id, of.durations]));
  const range = { from, to: from + options.days * day };
  const whole = forecast({ jobs: running, pools, durations, range });
  const { pool } = options;
  const found =
    pool === undefined ? whole : { ...whole, pools: whole.pools.filter((of) => of.name === pool) };
  const foreseen: Foreseen = { forecast: found, past, timezone, paused, jobs: running.length };
  if (options.json) await writeJson(io, forecastJson(foreseen));
  else await io.write(`${forecastText(foreseen, io.look)}\n`);
  return isWrong(found) ? exitCodes.foundWrong : exitCodes.fine;
}

/** A clock time is the next such time: what is foreseen is to come. */
function fromOf(text: string, timezone: string, now: number): number {
  if (isClockTime(text)) return endOf(text, { timezone, start: now, what: '--from' });
  return instantsOf(text, timezone, '--from')[0];
}

type Concerned = Pick<PublishedManifest, 'jobs'> & {
  readonly pools: NonNullable<PublishedManifest['pools']>;
};

/** The pool that is asked for, and whatever has a part in what becomes of it. */
function concerned({ jobs, pools = {} }: PublishedManifest, asked: string | undefined): Concerned {
  if (asked === undefined) return { jobs, pools };
  const names = Object.keys(pools);
  const group = groupsOf(names, jobs).find((one) => one.pools.includes(asked));
  if (group === undefined) throw unknownPool(asked, names);
  const entries = Object.entries(pools).filter(([name]) => group.pools.includes(name));
  return { jobs: group.jobs, pools: Object.fromEntries(entries) };
}

function unknownPool(asked: string, known: readonly string[]): UserError {
  const near = nearest(asked, [...known]);
  const hint = near === null ? `the pools are ${known.join(', ') || 'none'}` : `did you mean ${near}?`;
  return new UserError(`there is no pool "${oneLine(asked)}"; ${hint}`);
}

async function pausedJobs(ledger: Ledger, jobs: readonly ManifestJob[]): Promise<string[]> {
  const states = await ledger.jobs(jobs.map(({ id }) => id));
  return jobs.map(({ id }) => id).filter((id) => states.get(id)?.paused !== undefined);
}
