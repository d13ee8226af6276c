import type { Command } from 'commander';
import { runId } from '../../domain/names.ts';
import { retry } from '../../operator/retry.ts';
import type { ExitCode, Io } from '../io.ts';
import { deployedJob } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { operatorOf } from '../operator.ts';
import { findRun } from '../run-argument.ts';
import { tellRun, turnText } from '../tell-run.ts';
import { UserError } from '../user-error.ts';
import { refuseToWaitAlone, type WaitOptions, waitedFor, withWait } from '../wait-for-run.ts';

interface RetryOptions extends LedgerOptions, WaitOptions {
  readonly rerun?: true;
  readonly resume?: true;
  readonly note?: string;
}

export function addRetry(fl: Command, io: Io, exit: (code: ExitCode) => void): void {
  withWait(withLedgerOptions(fl.command('retry')))
    .description('runs once more what failed, was canceled, skipped or missed')
    .argument('<run>', 'JOB#TIME, or JOB')
    .argument('[time]', 'when it was due, in UTC (…Z) or in the job’s zone; 05:00 is today’s')
    .option('--rerun', 'from its beginning (default, unless its job says crashed: resume)')
    .option('--resume', 'the steps that it has done are not done again')
    .option('--note <text>', 'why, for those who read the record later')
    .addHelpText(
      'after',
      `
It is the same run, with one attempt more, and its bounds (attempts, crashes) count anew. It goes before what waits to
be made up; for many of them see fl backfill. A parked run is decided about with fl release.

Examples:
  fl runs --state failed
  fl retry reports/inventory 03:00
  fl retry billing/send-invoices 2026-12-01T06:00 --resume --note "the bank is back" --wait`,
    )
    .action((run: string, time: string | undefined, options: RetryOptions) =>
      usingLedger(options, 'retry', (open) => again(open, [run, time], { options, io, exit })),
    );
}

async function again(
  open: OpenLedger,
  argument: readonly [string, string | undefined],
  { options, io, exit }: { options: RetryOptions; io: Io; exit: (code: ExitCode) => void },
): Promise<void> {
  const { note, rerun, resume } = options;
  if (rerun && resume) throw new UserError('say one of --rerun and --resume');
  if (options.wait) refuseToWaitAlone(open, 'leave out --wait');
  const { run } = await findRun(open, argument, { now: io.now(), orNewest: false });
  const job = await deployedJob(open.ledger, open.name, run.jobId);
  const after = await retry(operatorOf(open, io), run, job, {
    ...(rerun && { from: 'beginning' }),
    ...(resume && { from: 'last-step' }),
    ...(note !== undefined && { note }),
  });
  if (options.wait) return exit(await waitedFor(open.ledger, run, { job, options, io }));
  const text = `${runId(run)} is to run; ${await turnText(open, run.jobId)}.`;
  return tellRun(after, text, { options, io });
}
