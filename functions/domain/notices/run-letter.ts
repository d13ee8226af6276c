import type { ManifestJob } from '../manifest.ts';
import { functionName, logGroupName, runId } from '../names.ts';
import { stackOf } from '../placement.ts';
import type { Attempt, Run } from '../run.ts';
import { formatDuration, timetable } from '../schedule/index.ts';
import { counted } from '../words.ts';
import type { Letter, Surroundings } from './message.ts';
import type { Notice } from './notice.ts';
import { plain, zonedText } from './words.ts';

type Ended = Extract<Notice, { kind: 'failed' | 'parked' }>;

/** Of a run that failed for good, or waits for a person. */
export function endedLetter(notice: Ended, around: Surroundings): Letter {
  const { kind, jobId, run } = notice;
  const job = around.jobs.get(jobId);
  const id = runId(run);
  return {
    subject: `${kind}: ${jobId}`,
    headline: `${jobId} ${kind === 'failed' ? failedWords(run, job) : parkedWords(run)}`,
    facts: [
      ['run', id],
      ['due', zonedText(run.fireTime, job?.spec.timezone ?? 'UTC')],
      ['attempts', attemptsText(run)],
      ...logFact(run, around),
      ['next', kind === 'failed' ? nextText(job, around.now) : parkedNext],
    ],
    ...(kind === 'failed'
      ? {
          advice: 'See why, and all that is known of it; once it is mended, have it run once more:',
          commands: [`why ${id}`, `show ${id}`, ...(job === undefined ? [] : [`retry ${id}`])],
        }
      : {
          advice: adviceFor(run),
          commands: [`why ${id}`, ...decisions(run).map((as) => `release ${id} ${as}`)],
        }),
  };
}

function failedWords({ reason, error, crashes, attempts }: Run, job: ManifestJob | undefined): string {
  const said = error === undefined ? '' : `: ${plain(`${error.name}: ${error.message}`)}`;
  if (reason === 'crashed')
    return `crashed ${counted(crashes, 'time')} and is given up${suspectedWords(attempts)}`;
  if (reason !== 'timed-out') return `failed for good${said}`;
  return `failed for good, past its timeout${job ? ` of ${formatDuration(job.timeoutMs)}` : ''}${said}`;
}

function parkedWords({ reason, uncertain, error, attempts }: Run): string {
  if (uncertain === undefined)
    return `crashed, and is parked for a person to decide${suspectedWords(attempts)}`;
  const parked = `is parked: nobody knows whether its step ${JSON.stringify(plain(uncertain, 100))} was done`;
  if (reason === 'crashed') return `crashed, and ${parked}${suspectedWords(attempts)}`;
  const said = error === undefined ? '' : ` (${plain(`${error.name}: ${error.message}`)})`;
  return `${parked}${said}`;
}

function suspectedWords(attempts: readonly Attempt[]): string {
  const why = attempts.at(-1)?.suspected?.why;
  return why === undefined ? '' : `: ${plain(why)}`;
}

const mostAttemptsNamed = 10;

/** `3: failed, crashed, failed`: the newest of them. */
function attemptsText({ attempts }: Run): string {
  const ended = attempts.slice(-mostAttemptsNamed).map(({ outcome }) => outcome ?? 'not ended');
  const before = attempts.length > mostAttemptsNamed ? '… ' : '';
  return `${attempts.length}: ${before}${ended.join(', ')}`;
}

/** Where its last attempt told what it did. */
function logFact({ jobId, attempts }: Run, { stage, jobStacks }: Surroundings): [string, string][] {
  const last = attempts.at(-1);
  if (last === undefined) return [];
  const log = logGroupName(functionName(stage, jobId, stackOf(jobId, jobStacks)));
  return [['log', `${log}, request ${plain(last.requestId, 100)}`]];
}

const parkedNext = 'nothing, until somebody decides; later fires of its job run as usual';

function nextText(job: ManifestJob | undefined, now: number): string {
  if (job === undefined) return 'it is not tried again; its job was removed';
  const next = timetable(job.spec).next(now);
  const then = next === null ? 'is due no more' : `is due again ${zonedText(next, job.spec.timezone)}`;
  return `it is not tried again; its job ${then}`;
}

function adviceFor({ uncertain }: Run): string {
  return uncertain === undefined
    ? 'Find out how far it came. Then let it run again, or leave it failed:'
    : 'Find out whether the step was done. Then say so, and let it go on; or leave it failed:';
}

function decisions({ uncertain }: Run): string[] {
  return uncertain === undefined
    ? ['--rerun', '--resume', '--fail']
    : ['--resume --done', '--resume --not-done', '--fail'];
}
