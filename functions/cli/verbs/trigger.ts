import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { runId } from '../../domain/names.ts';
import { trigger } from '../../operator/trigger.ts';
import { checkInput } from '../check-input.ts';
import { fireBeside } from '../fire-beside.ts';
import { instantOf } from '../instants.ts';
import type { ExitCode, Io } from '../io.ts';
import { deployedJob } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { operatorOf } from '../operator.ts';
import { oneLine } from '../render/text.ts';
import { tellRun, turnText } from '../tell-run.ts';
import { UserError } from '../user-error.ts';
import { refuseToWaitAlone, type WaitOptions, waitedFor, withWait } from '../wait-for-run.ts';

interface TriggerOptions extends LedgerOptions, WaitOptions {
  readonly at?: string;
  readonly input?: string;
  readonly jobs?: string;
  readonly note?: string;
}

export function addTrigger(fl: Command, io: Io, exit: (code: ExitCode) => void): void {
  withWait(withLedgerOptions(fl.command('trigger')))
    .description('starts a job by hand: a run beside those of its schedule, through its slot and its pools')
    .argument('<job>', 'its id')
    .option('--at <time>', 'the time that it works for, to the minute (default: now); 05:00 is today’s')
    .option(
      '--input <json>',
      'its input, or @FILE; checked by the schema in its file, and refused without one',
    )
    .option('--note <text>', 'why, for those who read the record later')
    .addOption(new Option('--jobs <dir>', 'the folder with its file (default: functions/jobs)'))
    .addHelpText(
      'after',
      `
With --wait it ends with 0 once the run has succeeded, with 1 when it failed, with 2 when it waits for a person.

Examples:
  fl trigger reports/daily-sales
  fl trigger reports/daily-sales --at 2026-11-30T03:00 --wait
  fl trigger uptime/check-endpoints --note "after the move of the servers"`,
    )
    .action((job: string, options: TriggerOptions) =>
      usingLedger(options, 'trigger', (open) => start(open, job, { options, io, exit })),
    );
}

async function start(
  open: OpenLedger,
  jobId: string,
  { options, io, exit }: { options: TriggerOptions; io: Io; exit: (code: ExitCode) => void },
): Promise<void> {
  const { ledger, name } = open;
  if (options.wait) refuseToWaitAlone(open, 'leave out --wait');
  const job = await deployedJob(ledger, name, jobId);
  const { at, note } = options;
  const input = options.input === undefined ? undefined : await inputOf(options.input);
  await checkInput(jobId, input, { jobsDir: options.jobs, io });
  const fireTime =
    at === undefined
      ? undefined
      : instantOf(at, { timezone: job.spec.timezone, now: io.now(), what: '--at' });
  if (fireTime !== undefined) {
    const beside = await fireBeside(ledger, job, { fireTime, now: io.now() });
    if (beside !== null) io.warn(`${beside}\n`);
  }
  const run = await trigger(operatorOf(open, io), job, {
    ...(fireTime !== undefined && { fireTime }),
    ...(input !== undefined && { input }),
    ...(note !== undefined && { note }),
  });
  if (options.wait) return exit(await waitedFor(ledger, run, { job, options, io }));
  return tellRun(run, `${runId(run)} is to run; ${await turnText(open, jobId)}.`, { options, io });
}

async function inputOf(given: string): Promise<unknown> {
  const text = given.startsWith('@') ? await contentsOf(given.slice(1)) : given;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`--input is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function contentsOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UserError(
      `--input @${oneLine(file)} can't be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}
