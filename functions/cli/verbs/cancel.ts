import type { Command } from 'commander';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { stepInDoubt } from '../../domain/steps.ts';
import { cancel } from '../../operator/cancel.ts';
import type { Io } from '../io.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { operatorOf } from '../operator.ts';
import { deadText } from '../render/run-words.ts';
import { oneLine } from '../render/text.ts';
import { findRun } from '../run-argument.ts';
import { tellRun } from '../tell-run.ts';

interface CancelOptions extends LedgerOptions {
  readonly note?: string;
}

export function addCancel(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('cancel'))
    .description(
      'ends a run: at once where it waits, is offered, to be tried again or parked; one that runs is asked to end',
    )
    .argument('<run>', 'JOB#TIME, or JOB')
    .argument('[time]', 'when it was due, in UTC (…Z) or in the job’s zone; 05:00 is today’s')
    .option('--note <text>', 'why, for those who read the record later')
    .addHelpText(
      'after',
      `
A run that runs is reached within 15 s: its signal aborts. It keeps its slot and its pools until it has ended, or its
lease has: also where its process is dead already. One whose code returns all the same is succeeded.

Examples:
  fl runs --state running
  fl cancel reports/inventory 2026-12-01T03:00 --note "the warehouse is closed"
  fl cancel reports/inventory#2026-12-01T03:00:00Z`,
    )
    .action((run: string, time: string | undefined, options: CancelOptions) =>
      usingLedger(options, 'cancel', (open) => cancelRun(open, [run, time], { options, io })),
    );
}

async function cancelRun(
  open: OpenLedger,
  argument: readonly [string, string | undefined],
  { options, io }: { options: CancelOptions; io: Io },
): Promise<void> {
  const { run, job } = await findRun(open, argument, { now: io.now(), orNewest: false });
  const after = await cancel(operatorOf(open, io), run, options.note);
  const isAlive = after.state === 'running' && after.suspected === undefined;
  const inDoubt = isAlive ? undefined : stepInDoubt(await open.ledger.steps(after));
  const doubt =
    inDoubt === undefined
      ? ''
      : ` Nobody knows whether its step ${oneLine(JSON.stringify(inDoubt))} was done: look before its work is started anew.`;
  return tellRun(after, `${canceledText(after, job.timezone)}${doubt}`, { options, io });
}

function canceledText(run: Run, timezone: string): string {
  const id = runId(run);
  if (run.state === 'canceled') return `${id} is canceled.`;
  return run.suspected === undefined
    ? `${id} is asked to end; it is reached within 15 s, and keeps its slot and its pools until it has ended.`
    : `${id} is asked to end; ${deadText(run, timezone)}. It keeps its slot and its pools until then.`;
}
