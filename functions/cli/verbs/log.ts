import type { Command } from 'commander';
import type { Action } from '../../domain/action.ts';
import { day, toIso } from '../../domain/time.ts';
import { endsOf, readingZone } from '../instants.ts';
import { type Io, writeJson } from '../io.ts';
import { deployedJobs, everyJob, knownJob } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { howText } from '../render/action-words.ts';
import { type Row, tableText } from '../render/table.ts';
import { oneLine } from '../render/text.ts';
import { localText } from '../render/times.ts';
import { positive } from './runs.ts';

interface LogOptions extends LedgerOptions {
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

export function addLog(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('log'))
    .description('what people did, newest first: who, when, to what, and why')
    .argument('[job]', 'of one job')
    .option('--from <time>', 'at or after this time; 20:00 is the last there was')
    .option('--to <time>', 'at or before this time; a date is its whole day')
    .option('--limit <count>', 'at most so many', positive, 50)
    .addHelpText(
      'after',
      `
Examples:
  fl log
  fl log billing/send-invoices --from 2026-11-01
  fl log --limit 1000 --json`,
    )
    .action((jobId: string | undefined, options: LogOptions) =>
      usingLedger(options, 'log', (open) => tell(open, jobId, { options, io })),
    );
}

async function tell(
  { ledger, name }: OpenLedger,
  jobId: string | undefined,
  { options, io }: { options: LogOptions; io: Io },
): Promise<void> {
  const manifest = await deployedJobs(ledger, name);
  const jobs = jobId === undefined ? everyJob(manifest) : [await knownJob(ledger, manifest, jobId)];
  const timezone = readingZone(
    jobs.map((job) => job.timezone),
    options,
    io,
  );
  const { start, end } = endsOf(options, { timezone, now: io.now() });
  const found: Action[] = [];
  for await (const action of ledger.actions({ from: start ?? 0, to: end ?? io.now() + day })) {
    if (jobId !== undefined && action.jobId !== jobId) continue;
    found.push(action);
    if (found.length === options.limit) break;
  }
  if (options.json) return writeJson(io, found.map(actionJson));
  if (found.length === 0) return io.write('Nobody has done anything yet.\n');
  const rows = found.map((action) => rowOf(action, timezone));
  return io.write(`${tableText(['WHEN', 'WHO', 'DID', 'TO'], rows, { look: io.look })}\n`);
}

function rowOf(action: Action, timezone: string): Row {
  const { at, by, verb, jobId, run } = action;
  const to = [jobId, run].filter((part) => part !== undefined).join('#');
  const note = howText(action, timezone);
  return {
    cells: [localText(at, timezone), oneLine(by), verb, to],
    ...(note !== '' && { note }),
  };
}

function actionJson({ at, ...action }: Action) {
  return { at: toIso(at), ...action };
}
