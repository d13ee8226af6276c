import { type Command, InvalidArgumentError, Option } from 'commander';
import { openStates, type Run, type RunState, terminalStates } from '../../domain/run.ts';
import { day } from '../../domain/time.ts';
import { endsOf, readingZone } from '../instants.ts';
import { type ExitCode, exitCodes, type Io, writeJson } from '../io.ts';
import { deployedJobs, everyJob, type KnownJob, knownJob } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { newestRuns } from '../newest-runs.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { type Look, stateText } from '../render/look.ts';
import { runJson } from '../render/run-json.ts';
import { lateText, whereToAsk, why } from '../render/run-words.ts';
import { tableText } from '../render/table.ts';
import { localText } from '../render/times.ts';
import { UserError } from '../user-error.ts';

interface RunsOptions extends LedgerOptions {
  readonly job?: string;
  readonly state?: RunState;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

const states: readonly RunState[] = [...openStates, ...terminalStates];

export function addRuns(fl: Command, io: Io, exit: (code: ExitCode) => void): void {
  withLedgerOptions(fl.command('runs'))
    .description('runs, newest first: what became of each fire, and why')
    .option('--job <id>', 'of one job')
    .addOption(new Option('--state <state>', 'in one state').choices(states))
    .option('--from <time>', 'due at or after this time; 20:00 is the last there was')
    .option('--to <time>', 'due at or before this time; a date is its whole day')
    .option('--limit <count>', 'at most so many', positive, 20)
    .addHelpText(
      'after',
      `
Times without a zone are those of the jobs if all that are asked for have one zone, else UTC. With --state parked it
ends with 2 when there is one.

Examples:
  fl runs
  fl runs --job billing/reconcile-payments --state failed
  fl runs --job uptime/check-endpoints --from 2026-12-01T00:00 --limit 100 --json`,
    )
    .action((options: RunsOptions) =>
      usingLedger(options, 'runs', async (open) => exit(await runs(open, options, io))),
    );
}

async function runs({ ledger, name }: OpenLedger, options: RunsOptions, io: Io): Promise<ExitCode> {
  const manifest = await deployedJobs(ledger, name);
  const jobs =
    options.job === undefined ? everyJob(manifest) : [await knownJob(ledger, manifest, options.job)];
  const timezone = readingZone(
    jobs.map((job) => job.timezone),
    options,
    io,
  );
  const found = await newestRuns(ledger, jobs, {
    ...rangeOf(options, timezone, io.now()),
    limit: options.limit,
    ...(options.state === undefined ? {} : { state: options.state }),
  });
  if (options.json) await writeJson(io, found.map(runJson));
  else await io.write(`${runsText(found, { jobs, look: io.look, limit: options.limit })}\n`);
  return options.state === 'parked' && found.length > 0 ? exitCodes.needsPerson : exitCodes.fine;
}

function rangeOf(options: RunsOptions, timezone: string, now: number) {
  const { start, end } = endsOf(options, { timezone, now });
  const range = { from: start ?? 0, to: end ?? now + day };
  if (range.from > range.to)
    throw new UserError(`--from ${options.from} is after --to ${options.to ?? 'now'}`);
  return range;
}

export function runsText(
  runs: readonly Run[],
  { jobs, look, limit }: { jobs: readonly KnownJob[]; look: Look; limit: number },
): string {
  if (runs.length === 0) return 'No run is recorded that fits. `fl next` tells what is due when.';
  const known = new Map(jobs.map((job) => [job.id, job]));
  const rows = runs.map((run) => {
    const job = known.get(run.jobId) ?? { timezone: 'UTC' };
    const because = [why(run, job), whereToAsk(run)].filter((part) => part !== '').join('; ');
    return {
      cells: [
        localText(run.fireTime, job.timezone),
        run.jobId,
        stateText(run.state, look),
        run.trigger,
        lateText(run),
        String(run.attempts.length),
        String(run.duplicates),
      ],
      ...(because === '' ? {} : { note: because }),
    };
  });
  const head = ['DUE', 'JOB', 'STATE', 'TRIGGER', 'LATE BY', 'ATTEMPTS', 'DUPLICATES'];
  const table = tableText(head, rows, { look });
  if (runs.length < limit) return table;
  return `${table}\n${look.colors.dim(`The newest ${limit} that fit; --limit shows more.`)}`;
}

export function positive(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 100_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 100000.');
  return count;
}
