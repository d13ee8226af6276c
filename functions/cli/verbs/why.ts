import type { Command } from 'commander';
import { explain } from '../explanation.ts';
import { type Io, writeJson } from '../io.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { usingLedger } from '../open-ledger.ts';
import { whyJson } from '../render/why-json.ts';
import { whyText } from '../render/why-text.ts';
import { findRun } from '../run-argument.ts';

export function addWhy(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('why'))
    .description('why a run waited, was late, was skipped, failed or ran again, and who is to blame')
    .argument('<run>', 'JOB#TIME, or JOB')
    .argument(
      '[time]',
      'when it was due, in UTC (…Z) or in the job’s zone; 05:00 is today’s (default: the newest run)',
    )
    .addHelpText(
      'after',
      `
A culprit is named when, while the run was alive, one other run used at least half of one unit of something that both
share (a pool, or a name of ctx.meter), and twice as much as the run itself and as any other. Not while of anybody who
might have used it, or of the run itself, the use is unknown: a bill is written when an attempt ends. And not when that use
was as usual, and of at least 5 earlier runs of this job beside that other job's more than half succeeded. Else: the run
itself, if it used that much; or: can't tell. An attempt's bill is one sum: its use is taken to be spread evenly over the
time that it was alive. Unusual: over twice the median of the job's last 30 successes, over 95 % of them, and not by
trifles; never against fewer than 5. Other runs are found that were due up to 24 hours before this one, and open ones
whenever they were due.

Examples:
  fl why reports/inventory
  fl why reports/inventory 03:00
  fl why reports/inventory#2026-12-01T03:00:00Z --json`,
    )
    .action((run: string, time: string | undefined, options: LedgerOptions) =>
      usingLedger(options, 'why', async (open) => {
        const now = io.now();
        const found = await findRun(open, [run, time], { now, orNewest: true });
        const explanation = await explain(found.run, { ledger: open.ledger, manifest: found.manifest, now });
        if (options.json) await writeJson(io, whyJson(explanation));
        else await io.write(`${whyText(explanation, { job: found.job, look: io.look })}\n`);
      }),
    );
}
