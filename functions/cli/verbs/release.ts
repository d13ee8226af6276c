import type { Command } from 'commander';
import { runId } from '../../domain/names.ts';
import type { Verdict } from '../../domain/release.ts';
import type { Run } from '../../domain/run.ts';
import { largestStepBytes } from '../../domain/steps.ts';
import { release, type SaidOfStep } from '../../operator/release.ts';
import type { Io } from '../io.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { operatorOf } from '../operator.ts';
import { findRun } from '../run-argument.ts';
import { tellRun } from '../tell-run.ts';
import { UserError } from '../user-error.ts';

interface ReleaseOptions extends LedgerOptions {
  readonly rerun?: true;
  readonly resume?: true;
  readonly fail?: true;
  readonly done?: true;
  readonly notDone?: true;
  readonly result?: string;
  readonly note?: string;
}

export function addRelease(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('release'))
    .description('decides about a parked run: run it again, resume it, or leave it failed')
    .argument('<run>', 'JOB#TIME, or JOB')
    .argument('[time]', 'when it was due, in UTC (…Z) or in the job’s zone; 05:00 is today’s')
    .option('--rerun', 'run it again, from its beginning')
    .option('--resume', 'run it again; the steps that it has done are not done again')
    .option('--fail', 'leave it failed')
    .option('--done', 'with --rerun or --resume: the step of which nobody knew was done')
    .option('--not-done', 'the same: it was not done, and is done now')
    .option('--result <json>', 'with --done: what the step is to have returned (default: nothing)')
    .option('--note <text>', 'why, for those who read the record later')
    .addHelpText(
      'after',
      `
Examples:
  fl runs --state parked
  fl release billing/send-invoices 2026-12-01T06:00 --rerun --note "the bank has nothing"
  fl release billing/send-invoices 2026-12-01T06:00 --resume --done --result '{"receipt":"7f3a"}'
  fl release billing/send-invoices#2026-12-01T05:00:00Z --fail`,
    )
    .action((run: string, time: string | undefined, options: ReleaseOptions) => {
      const decision = { verdict: verdictOf(options), said: saidOf(options) };
      return usingLedger(options, 'release', (open) =>
        releaseRun(open, [run, time], { decision, options, io }),
      );
    });
}

function verdictOf({ rerun, resume, fail }: ReleaseOptions): Verdict {
  const said = [rerun && 'rerun', resume && 'resume', fail && 'fail'] as const;
  const verdicts = said.filter((verdict) => verdict !== undefined);
  const [verdict] = verdicts;
  if (verdict === undefined || verdicts.length > 1)
    throw new UserError(
      'say one of --rerun (run it again, from its beginning), --resume (run it again, after what it has done) and --fail (leave it failed)',
    );
  return verdict;
}

function saidOf({ done, notDone, result }: ReleaseOptions): SaidOfStep | null {
  if (done && notDone) throw new UserError('say one of --done and --not-done');
  if (result !== undefined && !done)
    throw new UserError('--result is what a step returned: it goes with --done');
  if (notDone) return { done: false };
  if (!done) return null;
  return result === undefined ? { done } : { done, result: parsedResult(result) };
}

function parsedResult(text: string): unknown {
  const bytes = Buffer.byteLength(text);
  if (bytes > largestStepBytes)
    throw new UserError(`--result has ${bytes} bytes; at most ${largestStepBytes} are kept of a step`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`--result is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

interface Decision {
  readonly verdict: Verdict;
  readonly said: SaidOfStep | null;
}

async function releaseRun(
  open: OpenLedger,
  argument: readonly [string, string | undefined],
  { decision, options, io }: { decision: Decision; options: ReleaseOptions; io: Io },
): Promise<void> {
  const { run } = await findRun(open, argument, { now: io.now(), orNewest: false });
  const after = await release(operatorOf(open, io), run, { ...decision, note: options.note });
  return tellRun(after, releasedText(after), { options, io });
}

function releasedText(run: Run): string {
  return run.state === 'failed'
    ? `${runId(run)} is failed.`
    : `${runId(run)} waits for its turn; the next sweep starts it, at once or within a minute while the system runs.`;
}
