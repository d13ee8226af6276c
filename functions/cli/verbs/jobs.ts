import type { Command } from 'commander';
import type { JobState, Pause } from '../../domain/job-state.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { runId } from '../../domain/names.ts';
import { neverNeedsAttention, type Run } from '../../domain/run.ts';
import { timetable } from '../../domain/schedule/index.ts';
import { inWords } from '../../domain/schedule-words.ts';
import { toIso } from '../../domain/time.ts';
import { type Io, writeJson } from '../io.ts';
import { deployedJobs } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { askedLately, newestRun } from '../newest-runs.ts';
import { usingLedger } from '../open-ledger.ts';
import { type Look, stateText } from '../render/look.ts';
import { pauseJson } from '../render/pause-json.ts';
import { tableText } from '../render/table.ts';
import { counted, oneLine } from '../render/text.ts';
import { agoText, localText, wallText } from '../render/times.ts';

/** A deployed job as it stands. */
export interface JobLine {
  readonly job: ManifestJob;
  readonly state: JobState | null;
  readonly next: number | null;
  /** Its newest run. */
  readonly last: Run | null;
  /** The run that has its slot. */
  readonly owner: Run | null;
  /** How many of its runs wait for a person's decision. */
  readonly parked: number;
}

export function addJobs(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('jobs'))
    .description('the deployed jobs: schedule in words, next fire, last run, state')
    .addHelpText(
      'after',
      `
Examples:
  fl jobs
  fl jobs --stage prod --json`,
    )
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
  const [states, parked, asked] = await Promise.all([
    ledger.jobs(jobs.map((job) => job.id)),
    parkedCounts(ledger),
    askedLately(ledger, now),
  ]);
  const owners = await slotOwners(ledger, [...states.values()]);
  return Promise.all(
    jobs.map(async (job) => ({
      job,
      state: states.get(job.id) ?? null,
      next: timetable(job.spec).next(now),
      last: await newestRun(ledger, job.id, { now, asked }),
      owner: owners.get(job.id) ?? null,
      parked: parked.get(job.id) ?? 0,
    })),
  );
}

/** By job. */
async function slotOwners(ledger: Ledger, states: readonly JobState[]): Promise<Map<string, Run>> {
  const refs = states.flatMap(({ jobId, slot }) => (slot === undefined ? [] : [{ jobId, key: slot }]));
  return new Map((await ledger.runs(refs)).map((run) => [run.jobId, run]));
}

/** At most so many parked runs are counted. */
const mostParked = 1_000;

/** How many parked runs each job has: on the index of open runs they stand alone at the end. */
async function parkedCounts(ledger: Ledger): Promise<Map<string, number>> {
  const refs = await ledger.open(neverNeedsAttention, mostParked, neverNeedsAttention);
  // The index is stale; the records tell.
  const parked = (await ledger.runs(refs)).filter(({ state }) => state === 'parked');
  const counts = new Map<string, number>();
  for (const { jobId } of parked) counts.set(jobId, (counts.get(jobId) ?? 0) + 1);
  return counts;
}

export function jobsText(lines: readonly JobLine[], { look, now }: { look: Look; now: number }): string {
  if (lines.length === 0) return 'No jobs are deployed. A job is a file under functions/jobs/.';
  const rows = lines.map((line) => {
    const { job, state, next, last, parked } = line;
    const { timezone } = job.spec;
    const note = [pauseNote(state, timezone), parkedNote(job.id, parked)]
      .filter((one) => one !== '')
      .join('; ');
    return {
      cells: [
        look.colors.bold(job.id),
        inWords(job.spec),
        timezone,
        next === null ? 'never' : wallText(next, timezone),
        last === null ? '-' : `${stateText(last.state, look)} ${agoText(last.fireTime, now)}`,
        standing(line, look),
      ],
      ...(note === '' ? {} : { note }),
    };
  });
  return tableText(['JOB', 'SCHEDULE', 'ZONE', 'NEXT', 'LAST', 'STATE'], rows, {
    look,
    wraps: ['SCHEDULE'],
  });
}

/** What holds for a job now, the most pressing first. */
function standing(line: JobLine, { colors }: Look): string {
  const { state, parked } = line;
  const going = goingOn(line);
  if (state === null) return 'not in force yet';
  const parts = [
    parked > 0 ? colors.red(`${parked} parked`) : '',
    state.paused === undefined ? '' : colors.yellow(pausedText(state.paused, line.job.spec.timezone)),
    going === '' ? '' : colors.cyan(going),
    state.catchUp.waiting > 0 ? colors.yellow(`${state.catchUp.waiting} to make up`) : '',
    state.failuresInARow > 0 ? colors.red(`${counted(state.failuresInARow, 'failure')} in a row`) : '',
  ].filter((part) => part !== '');
  return parts.join(', ') || 'ready';
}

function pausedText({ until }: Pause, timezone: string): string {
  return until === undefined ? 'paused' : `paused until ${wallText(until, timezone)}`;
}

/** A run that only waits may have the slot, too; and where there is no slot, runs wait for pools all the same. */
function goingOn({ state, owner, last }: JobLine): string {
  if (state?.slot !== undefined) return owner?.state === 'waiting' ? 'waiting' : 'running';
  return last?.state === 'waiting' && last.reason !== 'catch-up' ? 'waiting' : '';
}

function parkedNote(id: string, parked: number): string {
  return parked === 0 ? '' : `a person must decide: fl runs --state parked --job ${id}, then fl release`;
}

function pauseNote(state: JobState | null, timezone: string): string {
  if (state?.paused === undefined) return '';
  const { at, by, note } = state.paused;
  return `paused ${localText(at, timezone)} by ${oneLine(by)}${note === '' ? '' : `: ${oneLine(note)}`}`;
}

export function jobJson({ job, state, next, last, parked }: JobLine): Readonly<Record<string, unknown>> {
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
    paused: paused === undefined ? null : pauseJson(paused),
    parked,
    slot: state?.slot ?? null,
    waitingToCatchUp: state?.catchUp.waiting ?? 0,
    failuresInARow: state?.failuresInARow ?? 0,
    strays: state?.strays ?? 0,
  };
}
