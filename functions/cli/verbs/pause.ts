import type { Command } from 'commander';
import { toIso } from '../../domain/time.ts';
import { pause, resume } from '../../operator/pause.ts';
import { endOf } from '../instants.ts';
import { type Io, writeJson } from '../io.ts';
import { deployedJob } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { makeUpSkipped } from '../make-up-skipped.ts';
import { usingLedger } from '../open-ledger.ts';
import { operatorOf } from '../operator.ts';
import { pauseJson } from '../render/pause-json.ts';
import { localText, wallText } from '../render/times.ts';

interface PauseOptions extends LedgerOptions {
  readonly note?: string;
  readonly until?: string;
}

interface ResumeOptions extends LedgerOptions {
  readonly note?: string;
  readonly catchUp?: true;
}

export function addPause(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('pause'))
    .description('pauses a job: its fires are skipped until it is resumed; what runs ends as usual')
    .argument('<job>', 'its id')
    .option(
      '--until <time>',
      'it is resumed by itself then; 18:00 is the next (default: a person resumes it)',
    )
    .option('--note <text>', 'why, for those who wonder later')
    .addHelpText(
      'after',
      `
A deploy never ends a pause. What waits for slot or pools waits on.

Examples:
  fl pause reports/inventory --note "stock-taking"
  fl pause reports/inventory --until 2026-12-02T06:00`,
    )
    .action((jobId: string, options: PauseOptions) =>
      usingLedger(options, 'pause', async (open) => {
        const { spec } = await deployedJob(open.ledger, open.name, jobId);
        const { timezone } = spec;
        const { until, note } = options;
        const paused = await pause(operatorOf(open, io), jobId, {
          ...(note !== undefined && { note }),
          ...(until !== undefined && { until: endOf(until, { timezone, start: io.now(), what: '--until' }) }),
        });
        if (options.json) return writeJson(io, { jobId, paused: pauseJson(paused) });
        const end = paused.until === undefined ? `fl resume ${jobId}` : localText(paused.until, timezone);
        return io.write(`${jobId} is paused until ${end}.\n`);
      }),
    );
}

export function addResume(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('resume'))
    .description('ends a pause')
    .argument('<job>', 'its id')
    .option('--catch-up', 'have the fires made up that were skipped meanwhile')
    .option('--note <text>', 'why, for those who wonder later')
    .addHelpText(
      'after',
      `
Without --catch-up the fires of the pause stay skipped; fl backfill JOB --only skipped makes them up later.

Examples:
  fl resume reports/inventory
  fl resume billing/send-invoices --catch-up`,
    )
    .action((jobId: string, options: ResumeOptions) =>
      usingLedger(options, 'resume', async (open) => {
        const job = await deployedJob(open.ledger, open.name, jobId);
        const operator = operatorOf(open, io);
        const { note } = options;
        const was = await resume(operator, jobId, note === undefined ? {} : { note });
        const wish = { since: was.at, isWanted: options.catchUp === true };
        const skipped = await makeUpSkipped(operator, job, wish);
        if (options.json) return writeJson(io, { jobId, was: pauseJson(was), ...skipped });
        const since = wallText(was.at, job.spec.timezone);
        const then = skippedText(jobId, { ...skipped, since: was.at });
        return io.write(`${jobId} is resumed; it was paused since ${since}.${then}\n`);
      }),
    );
}

function skippedText(
  jobId: string,
  { skipped, madeUp, since }: { skipped: number; madeUp: number; since: number },
): string {
  if (skipped === 0) return '';
  const fires = skipped === 1 ? '1 fire was' : `${skipped} fires were`;
  return madeUp > 0
    ? ` ${fires} skipped meanwhile, and ${madeUp === 1 ? 'is' : 'are'} made up now.`
    : ` ${fires} skipped meanwhile; to have ${skipped === 1 ? 'it' : 'them'} made up: fl backfill ${jobId} --only skipped --from ${toIso(since)}`;
}
