import { type Command, Option } from 'commander';
import {
  type Backfill,
  type BackfillKind,
  type BackfillRange,
  backfillKinds,
} from '../../domain/backfill.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { day, toIso } from '../../domain/time.ts';
import { previewBackfill, withdrawBackfill } from '../../operator/backfill.ts';
import type { Operator } from '../../operator/ports.ts';
import { feedBackfill, hasToStay } from '../feed-backfill.ts';
import { followBackfill } from '../follow-backfill.ts';
import { endsOf } from '../instants.ts';
import { type ExitCode, exitCodes, type Io, writeJson } from '../io.ts';
import { deployedJob } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { operatorOf } from '../operator.ts';
import { backfillText } from '../render/backfill-text.ts';
import { progressOn, silent } from '../render/progress.ts';
import { UserError } from '../user-error.ts';
import { refuseToWaitAlone, warnOfPause } from '../wait-for-run.ts';
import { positive } from './runs.ts';

interface BackfillOptions extends LedgerOptions {
  readonly from?: string;
  readonly to?: string;
  readonly only: BackfillKind;
  readonly order: 'oldest' | 'newest';
  readonly rate?: number;
  readonly dryRun?: true;
  readonly detach?: true;
  readonly note?: string;
}

export function addBackfill(fl: Command, io: Io, exit: (code: ExitCode) => void): void {
  withLedgerOptions(fl.command('backfill'))
    .description('makes up the fires of a range, behind all other work of their job')
    .argument('<job>', 'its id')
    .option('--from <time>', 'due at or after this time; 20:00 is the last there was (default: a day ago)')
    .option('--to <time>', 'due at or before this time (default: now); a date is its whole day')
    .addOption(
      new Option('--only <which>', 'which of them; one without a record counts as missed')
        .choices(backfillKinds)
        .default('missed'),
    )
    .addOption(
      new Option('--order <which>', 'which go first').choices(['oldest', 'newest']).default('oldest'),
    )
    .option(
      '--rate <count>',
      'at most so many a minute, where that is fewer than its job’s own rate',
      positive,
    )
    .option('--dry-run', 'tell which fires these are, and write nothing')
    .option('--detach', 'do not wait for them')
    .option('--note <text>', 'why, for those who read the records later')
    .addHelpText(
      'after',
      `
They go through their job's slot, its pools and the rate of its missed fires, and no live fire waits for them. Fires from
before the job was deployed count as missed. Ctrl-C stops: what waits is taken back, what runs goes on.
Ends with 0 once each has succeeded, with 1 when one has not, with 2 when one waits for a person.

Examples:
  fl backfill billing/reconcile-payments --from 2026-11-01 --to 2026-11-30 --dry-run
  fl backfill billing/reconcile-payments --from 2026-11-01 --only failed --note "the bank is back"
  fl backfill rates/pull-fx --from 03:00 --to 06:00 --only all --order newest --rate 2`,
    )
    .action((jobId: string, options: BackfillOptions) =>
      usingLedger(options, 'backfill', async (open) => exit(await backfill(open, jobId, { options, io }))),
    );
}

async function backfill(
  open: OpenLedger,
  jobId: string,
  { options, io }: { options: BackfillOptions; io: Io },
): Promise<ExitCode> {
  const job = await deployedJob(open.ledger, open.name, jobId);
  const operator = operatorOf(open, io);
  const range = rangeOf(options, job, io.now());
  const plan = await previewBackfill(operator, job, { range, only: options.only });
  if (options.dryRun || plan.fires.length === 0) {
    await tellPlan(plan, { job, range, options, io });
    return exitCodes.fine;
  }
  if (!options.detach) refuseToWaitAlone(open, 'add --detach, and they wait until one runs');
  else if (hasToStay(options, job))
    throw new UserError(
      '--order newest and a slower --rate hand the fires over one by one, so this command has to stay: leave out --detach',
    );
  return carryOut(operator, job, { plan, range, options, io });
}

async function carryOut(
  operator: Operator,
  job: ManifestJob,
  { plan, range, options, io }: { plan: Backfill; range: BackfillRange; options: BackfillOptions; io: Io },
): Promise<ExitCode> {
  const stop = new AbortController();
  const { signal } = stop;
  const dispose = io.onInterrupt(() => stop.abort());
  const screen = { write: io.warn, columns: io.columns, now: io.now };
  const progress = options.json ? silent : progressOn(screen);
  try {
    if (!options.json) await tellPlan(plan, { job, range, options, io });
    await warnOfPause(operator.ledger, job.id, io);
    const feed = { ...options, range };
    const written = await feedBackfill(operator, job, { plan, feed, signal, progress, io });
    const withdraw = () => withdrawBackfill(operator, job.id, written);
    const wait = { isDetached: options.detach === true, signal, withdraw };
    return await followBackfill(operator, written, { job, wait, progress, options, io });
  } finally {
    dispose();
  }
}

function rangeOf(options: BackfillOptions, { spec }: ManifestJob, now: number): BackfillRange {
  const { start, end } = endsOf(options, { timezone: spec.timezone, now });
  const to = Math.min(end ?? now, now);
  const from = start ?? to - day;
  if (from > to) throw new UserError(`--from ${options.from} is after --to ${options.to ?? 'now'}`);
  return { from, to };
}

function tellPlan(
  plan: Backfill,
  { job, range, options, io }: { job: ManifestJob; range: BackfillRange; options: BackfillOptions; io: Io },
): Promise<void> {
  const { rate, order } = options;
  const fires = order === 'newest' ? plan.fires.toReversed() : plan.fires;
  if (!options.json) return io.write(backfillText({ ...plan, fires }, { job, range, rate, look: io.look }));
  return writeJson(io, {
    jobId: job.id,
    from: toIso(range.from),
    to: toIso(range.to),
    fires: fires.map(({ fireTime, run }) => ({
      fireTime: toIso(fireTime),
      state: run?.state ?? 'unrecorded',
    })),
    left: plan.left,
  });
}
