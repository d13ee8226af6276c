import type { Command } from 'commander';
import type { JobState } from '../../domain/job-state.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { timetable } from '../../domain/schedule/index.ts';
import { inWords } from '../../domain/schedule-words.ts';
import { day, toIso } from '../../domain/time.ts';
import { type Io, writeJson } from '../io.ts';
import { deployedJobs } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { usingLedger } from '../open-ledger.ts';
import { type Look, stateText } from '../render/look.ts';
import { tableText } from '../render/table.ts';
import { oneLine } from '../render/text.ts';
import { agoText, localText, wallText } from '../render/times.ts';

/** A deployed job as it stands. */
export interface JobLine {
  readonly job: ManifestJob;
  readonly state: JobState | null;
  readonly next: number | null;
  /** Its newest run. */
  readonly last: Run | null;
}

export function addJobs(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('jobs'))
    .description('the deployed jobs: schedule in words, next fire, last run, state')
    .action((options: LedgerOptions) =>
      usingLedger(options, 'jobs', async ({ ledger, name }) => {
        const { jobs } = await deployedJobs(ledger, name);
        const lines = await linesOf(ledger, jobs, io.now());
        if (options.json) return writeJson(io, lines.map(jobJson));
        return io.write(`${jobsText(lines, { look: io.look, now: io.now() })}\n`);
      }),
    );
}

async function linesOf(ledger: Ledger, jobs: readonly ManifestJob[], now: number): Promise<JobLine[]> {
  const states = await ledger.jobs(jobs.map((job) => job.id));
  return Promise.all(
    jobs.map(async (job) => ({
      job,
      state: states.get(job.id) ?? null,
      next: timetable(job.spec).next(now),
      last: await newestRun(ledger, job.id, now),
    })),
  );
}

async function newestRun(ledger: Ledger, jobId: string, now: number): Promise<Run | null> {
  const range = { from: 0, to: now + day, order: 'newest-first', limit: 1 } as const;
  for await (const run of ledger.history(jobId, range)) return run;
  return null;
}

export function jobsText(lines: readonly JobLine[], { look, now }: { look: Look; now: number }): string {
  if (lines.length === 0) return 'No jobs are deployed. A job is a file under functions/jobs/.';
  const rows = lines.map((line) => {
    const { job, state, next, last } = line;
    const { timezone } = job.spec;
    const note = pauseNote(state, timezone);
    return {
      cells: [
        look.colors.bold(job.id),
        inWords(job.spec),
        timezone,
        next === null ? 'never' : wallText(next, timezone),
        last === null ? '-' : `${stateText(last.state, look)} ${agoText(last.fireTime, now)}`,
        standing(state, look),
      ],
      ...(note === null ? {} : { note }),
    };
  });
  return tableText(['JOB', 'SCHEDULE', 'ZONE', 'NEXT', 'LAST', 'STATE'], rows, {
    look,
    wraps: ['SCHEDULE'],
  });
}

/** What holds for a job now, the most pressing first. */
function standing(state: JobState | null, { colors }: Look): string {
  if (state === null) return 'not in force yet';
  if (state.paused !== undefined) return colors.yellow('paused');
  if (state.slot !== undefined) return colors.cyan('running');
  if (state.catchUp.waiting > 0) return colors.yellow(`${state.catchUp.waiting} to make up`);
  if (state.failuresInARow > 0) return colors.red(`failed ${state.failuresInARow}x`);
  return 'ready';
}

function pauseNote(state: JobState | null, timezone: string): string | null {
  if (state?.paused === undefined) return null;
  const { at, by, note } = state.paused;
  return `paused ${localText(at, timezone)} by ${oneLine(by)}${note === '' ? '' : `: ${oneLine(note)}`}`;
}

export function jobJson({ job, state, next, last }: JobLine): Readonly<Record<string, unknown>> {
  const paused = state?.paused;
  return {
    id: job.id,
    description: job.description,
    schedule: inWords(job.spec),
    timezone: job.spec.timezone,
    next: next === null ? null : toIso(next),
    last: last && {
      id: runId(last),
      fireTime: toIso(last.fireTime),
      state: last.state,
      reason: last.reason ?? null,
    },
    paused: paused === undefined ? null : { ...paused, at: toIso(paused.at) },
    slot: state?.slot ?? null,
    waitingToCatchUp: state?.catchUp.waiting ?? 0,
    failuresInARow: state?.failuresInARow ?? 0,
    strays: state?.strays ?? 0,
  };
}
