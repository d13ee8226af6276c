import type { Command } from 'commander';
import { cancelRun } from '../../domain/cancel.ts';
import { runId } from '../../domain/names.ts';
import type { CancelRequest, Run } from '../../domain/run.ts';
import type { Io } from '../io.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { findRun } from '../run-argument.ts';
import { tellMove } from '../tell-move.ts';
import { UserError } from '../user-error.ts';

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
lease has. One whose code returns all the same is succeeded.

Examples:
  fl runs --state running
  fl cancel reports/inventory 2026-12-01T05:00 --note "the warehouse is closed"
  fl cancel reports/inventory#2026-11-30T21:00:00Z`,
    )
    .action((run: string, time: string | undefined, options: CancelOptions) =>
      usingLedger(options, 'cancel', (open) => cancel(open, [run, time], { options, io })),
    );
}

async function cancel(
  open: OpenLedger,
  argument: readonly [string, string | undefined],
  { options, io }: { options: CancelOptions; io: Io },
): Promise<void> {
  const { ledger } = open;
  const { run } = await findRun(open, argument, { now: io.now(), orNewest: false });
  const state = await ledger.job(run.jobId);
  const decided = cancelRun(run, requestOf(options, io), { state, token: io.drawToken() });
  if (decided.kind === 'refused') throw new UserError(decided.why);
  const { fence, change, effect } = decided;
  const answer = await ledger.move(run, fence, change, effect === undefined ? {} : { effect });
  return tellMove(run, answer, { text: canceledText(run, decided.kind), open, options, io });
}

function requestOf({ note }: CancelOptions, io: Io): CancelRequest {
  return { at: io.now(), by: io.user(), reason: 'operator', ...(note === undefined ? {} : { note }) };
}

function canceledText(run: Run, kind: 'requested' | 'canceled'): string {
  return kind === 'canceled'
    ? `${runId(run)} is canceled.`
    : `${runId(run)} is asked to end; it is reached within 15 s, and keeps its slot and its pools until it has ended.`;
}
