import type { Command } from 'commander';
import { redrive } from '../../operator/redrive.ts';
import { type Io, writeJson } from '../io.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { operatorOf } from '../operator.ts';
import { counted } from '../render/text.ts';
import { UserError } from '../user-error.ts';

interface RedriveOptions extends LedgerOptions {
  readonly dryRun?: true;
  readonly note?: string;
}

export function addRedrive(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('redrive'))
    .description('sends back to the control queue what failed there too often, to be tried anew')
    .option('--dry-run', 'tell how many messages these are, and send none')
    .option('--note <text>', 'why, for those who read the log later')
    .addHelpText(
      'after',
      `
First find out why they failed: infra/RUNBOOK.md, "unreadable control messages". No fire is lost while they lie there:
they are hints, and sweeps find without them what they are about. One that fails again comes back after five tries.

Examples:
  fl redrive --stage prod --dry-run
  fl redrive --stage prod --note "the reconciler reads them again since 1.4.2"`,
    )
    .action((options: RedriveOptions) =>
      usingLedger(options, 'redrive', (open) => sendBack(open, { options, io })),
    );
}

async function sendBack(
  open: OpenLedger,
  { options, io }: { options: RedriveOptions; io: Io },
): Promise<void> {
  const { queues, name } = open;
  if (queues === undefined)
    throw new UserError(
      `no system runs on ${name}, and its queues are in memory: nothing is kept of them. Run \`npm start\`, or name a deployed --stage`,
    );
  const { unreadableQueue } = await import('../unreadable-queue.ts');
  const queue = unreadableQueue(queues, name);
  const { note, dryRun = false, json } = options;
  const messages = dryRun
    ? await queue.count()
    : await redrive(operatorOf(open, io), queue, note === undefined ? {} : { note });
  if (json) return writeJson(io, { messages, isSentBack: !dryRun });
  return io.write(dryRun ? wouldText(messages, queues.unreadable) : doneText(messages, queues.control));
}

function wouldText(messages: number, unreadable: string): string {
  return `${counted(messages, 'message')} ${messages === 1 ? 'lies' : 'lie'} on ${unreadable}.\n`;
}

function doneText(messages: number, control: string): string {
  return `${counted(messages, 'message')} ${messages === 1 ? 'is' : 'are'} sent back to ${control}.\n`;
}
