import type { Command } from 'commander';
import {
  type Audit,
  type AuditRange,
  auditableFrom,
  auditableUntil,
  isClean,
  type JobAudit,
} from '../../domain/audit.ts';
import type { Manifest } from '../../domain/manifest.ts';
import { fromIso, toIso } from '../../domain/time.ts';
import { auditLedger } from '../../store/audit-ledger.ts';
import { endsOf, readingZone } from '../instants.ts';
import { type ExitCode, exitCodes, type Io, writeJson } from '../io.ts';
import { deployedJobs, everyJob, knownJob } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import type { Look } from '../render/look.ts';
import { tableText } from '../render/table.ts';
import { counted } from '../render/text.ts';
import { localText } from '../render/times.ts';
import { UserError } from '../user-error.ts';

interface AuditOptions extends LedgerOptions {
  readonly job?: string;
  readonly from?: string;
  readonly to?: string;
}

export function addAudit(fl: Command, io: Io, exit: (code: ExitCode) => void): void {
  withLedgerOptions(fl.command('audit'))
    .description(
      'proves that each due fire has its one record; ends with 1 when something is missing or doubled',
    )
    .option('--job <id>', 'one job (default: all, also those that were removed)')
    .option('--from <time>', 'from this time (default: as far back as records are kept)')
    .option(
      '--to <time>',
      'up to this time (default: the newest instant past every grace and a sweep); a date is its whole day',
    )
    .addHelpText(
      'after',
      `
Records are deleted after a time; the days that the reconciler has closed prove what was due and recorded before that, too.
Times without a zone are those of the jobs if all that are asked for have one zone, else UTC; 02:00 is the last there was.

Examples:
  fl audit
  fl audit --from 2026-12-01 --to 2026-12-31
  fl audit --job billing/send-invoices --from 2026-01-01 --json`,
    )
    .action((options: AuditOptions) =>
      usingLedger(options, 'audit', async (open) => exit(await audit(open, options, io))),
    );
}

async function audit(open: OpenLedger, options: AuditOptions, io: Io): Promise<ExitCode> {
  const { ledger, name } = open;
  const manifest = await deployedJobs(ledger, name);
  const jobs =
    options.job === undefined ? everyJob(manifest) : [await knownJob(ledger, manifest, options.job)];
  const timezone = readingZone(
    jobs.map((job) => job.timezone),
    options,
    io,
  );
  const { cut, ...range } = rangeOf(options, { open, manifest, timezone, now: io.now() });
  if (cut) io.warn(`audited up to ${toIso(range.to)}: newer fires may still be within their grace\n`);
  const ids = jobs.map((job) => job.id);
  const audited = await auditLedger(ledger, ids, range);
  if (options.json) await writeJson(io, audited);
  else await io.write(`${auditText(audited, { timezone, look: io.look })}\n`);
  return isClean(audited) ? exitCodes.fine : exitCodes.foundWrong;
}

interface Asked {
  readonly open: OpenLedger;
  readonly manifest: Manifest;
  readonly timezone: string;
  readonly now: number;
}

/** `cut`: the asked end is newer than what can be judged. */
function rangeOf(
  options: AuditOptions,
  { open, manifest, timezone, now }: Asked,
): AuditRange & { readonly keptSince: number; readonly cut: boolean } {
  const newest = auditableUntil(now, manifest.jobs);
  const oldest = auditableFrom(now, open.retentionDays);
  const { start, end } = endsOf(options, { timezone, now });
  const [from, to] = [start ?? oldest, end ?? newest];
  if (from > Math.min(to, newest))
    throw new UserError(
      `there is nothing to audit from ${toIso(from)} to ${toIso(Math.min(to, newest))}; newer fires than ${toIso(newest)} may still be within their grace`,
    );
  return { from, to: Math.min(to, newest), keptSince: oldest, cut: to > newest };
}

const mostShown = 10;

export function auditText(audit: Audit, { timezone, look }: { timezone: string; look: Look }): string {
  const jobs = Object.entries(audit.jobs);
  const rows = [...jobs, ...(jobs.length > 1 ? [['all', audit] as const] : [])].map(([id, of]) => ({
    cells: [id, ...countsOf(of)],
  }));
  const head = ['JOB', 'DUE', 'RECORDED', 'MISSING', 'DOUBLED', 'DUPLICATES', 'STRAYS', 'MANUAL'];
  const parts = [
    tableText(head, rows, { look }),
    '',
    verdict(audit, { timezone, look }),
    ...named('Without a record', audit.missing, audit.expected - audit.recorded),
    ...named('Recorded, but not due', audit.extra, audit.extra.length),
    ...unjudgedLines(audit),
  ];
  return parts.join('\n');
}

function countsOf(audit: JobAudit): string[] {
  const { expected, recorded, doubleRuns, duplicates, strays, manual } = audit;
  return [expected, recorded, expected - recorded, doubleRuns, duplicates, strays, manual].map((count) =>
    count.toLocaleString('en-US'),
  );
}

function verdict(audit: Audit, { timezone, look }: { timezone: string; look: Look }): string {
  const range = [audit.from, audit.to].map((text) => localText(fromIso(text) ?? 0, timezone)).join(' to ');
  if (audit.expected === 0 && isClean(audit))
    return `Nothing was due from ${range}; newer fires may still be within their grace.`;
  if (isClean(audit))
    return look.colors.green(
      `Every fire is accounted for: ${counted(audit.expected, 'fire')} due from ${range}.`,
    );
  const wrong = [
    `${counted(audit.expected - audit.recorded, 'fire')} without a record`,
    `${counted(audit.doubleRuns, 'fire')} that ran twice`,
  ];
  return look.colors.red(`Not every fire is accounted for: ${wrong.join(', ')}, from ${range}.`);
}

function unjudgedLines({ unjudged }: Audit): string[] {
  if (unjudged === 0) return [];
  return [
    '',
    `${counted(unjudged, 'fire')} can't be judged any more: ${unjudged === 1 ? 'its record' : 'their records'} may be deleted by now, and no closed day tells of ${unjudged === 1 ? 'it' : 'them'}.`,
  ];
}

function named(what: string, ids: readonly string[], count: number): string[] {
  if (ids.length === 0) return [];
  const more = count - Math.min(ids.length, mostShown);
  return [
    '',
    `${what}:`,
    ...ids.slice(0, mostShown).map((id) => `  ${id}`),
    ...(more > 0 ? [`  and ${more.toLocaleString('en-US')} more (--json names up to 1,000)`] : []),
  ];
}
