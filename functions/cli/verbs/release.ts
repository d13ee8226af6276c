import type { Command } from 'commander';
import { runId } from '../../domain/names.ts';
import { releaseRun, type Verdict } from '../../domain/release.ts';
import type { Run } from '../../domain/run.ts';
import { type Io, writeJson } from '../io.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { notWritten } from '../not-written.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { runJson } from '../render/run-json.ts';
import { findRun } from '../run-argument.ts';
import { UserError } from '../user-error.ts';

interface ReleaseOptions extends LedgerOptions {
  readonly rerun?: true;
  readonly fail?: true;
  readonly resume?: true;
  readonly note?: string;
}

export function addRelease(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('release'))
    .description('decides about a parked run: run it again, or leave it failed')
    .argument('<run>', 'JOB#TIME, or JOB')
    .argument('[time]', 'when it was due, in UTC (…Z) or in the job’s zone; 05:00 is today’s')
    .option('--rerun', 'run it again, from its beginning')
    .option('--fail', 'leave it failed')
    .option('--resume', 'not supported yet')
    .option('--note <text>', 'why, for those who read the record later')
    .addHelpText(
      'after',
      `
Examples:
  fl runs --state parked
  fl release billing/send-invoices 2026-12-01T05:00 --rerun --note "the bank has nothing"
  fl release billing/send-invoices#2026-11-30T21:00:00Z --fail`,
    )
    .action((run: string, time: string | undefined, options: ReleaseOptions) => {
      const verdict = verdictOf(options);
      return usingLedger(options, 'release', (open) => release(open, [run, time], { verdict, options, io }));
    });
}

function verdictOf({ rerun, fail, resume }: ReleaseOptions): Verdict {
  if (resume)
    throw new UserError('--resume is not supported yet; use --rerun (from the beginning) or --fail');
  if (rerun === fail) throw new UserError('say one of --rerun (run it again) and --fail (leave it failed)');
  return rerun ? 'rerun' : 'fail';
}

async function release(
  open: OpenLedger,
  argument: readonly [string, string | undefined],
  { verdict, options, io }: { verdict: Verdict; options: ReleaseOptions; io: Io },
): Promise<void> {
  const { run } = await findRun(open, argument, { now: io.now(), orNewest: false });
  const decided = releaseRun(run, verdict, {
    token: io.drawToken(),
    now: io.now(),
    by: io.user(),
    ...(options.note === undefined ? {} : { note: options.note }),
  });
  if (decided.kind === 'refused') throw new UserError(decided.why);
  const { fence, change, effect } = decided;
  const answer = await open.ledger.move(run, fence, change, effect === undefined ? {} : { effect });
  if (answer.kind !== 'done') throw notWritten(run, answer);
  if (options.json) {
    const after = await open.ledger.run(run);
    return writeJson(io, after && runJson(after));
  }
  return io.write(`${releasedText(run, verdict)}\n`);
}

export function releasedText(run: Run, verdict: Verdict): string {
  return verdict === 'rerun'
    ? `${runId(run)} waits for its turn; the next sweep starts it, within a minute while the system runs.`
    : `${runId(run)} is failed.`;
}
