import { type AlertName, alertNames } from '../../contract.ts';
import type { ManifestJob } from '../manifest.ts';
import { formatDuration } from '../schedule/index.ts';
import { minute, toIso } from '../time.ts';
import { counted } from '../words.ts';
import type { Telling } from './due.ts';
import type { Notice } from './notice.ts';
import { endedLetter } from './run-letter.ts';
import { factLines, flCommand, plain, subjectOf, zonedText } from './words.ts';

/** Ready to be sent. `subject`: as SNS takes it. `text`: a headline, what is known, and at the end the commands to run. */
export interface Message {
  readonly subject: string;
  readonly text: string;
}

/** What a letter is made of. */
export interface Letter {
  readonly subject: string;
  readonly headline: string;
  readonly facts: readonly (readonly [name: string, fact: string])[];
  /** What is to be done, in a sentence; the commands follow. */
  readonly advice: string;
  readonly commands: readonly string[];
}

/** `jobs`: the manifest's, by id, and `jobStacks` over how many stacks they are spread. */
export interface Surroundings {
  readonly stage: string;
  readonly jobs: ReadonlyMap<string, ManifestJob>;
  readonly jobStacks: number;
  readonly now: number;
}

/** The words of a notice: what happened, what happens next, and what a person can do. */
export function messageOf(telling: Telling, around: Surroundings): Message {
  const { subject, headline, facts, advice, commands } =
    telling.kind === 'held' ? heldLetter(telling, around) : letterOf(telling.notice, around);
  const lines = [
    headline,
    ...(facts.length > 0 ? ['', ...factLines(facts)] : []),
    ...manyLines(telling),
    '',
    advice,
    ...commands.map((words) => `  ${flCommand(around.stage, words)}`),
  ];
  return { subject: subjectOf(`[fireledger ${around.stage}] ${subject}`), text: `${lines.join('\n')}\n` };
}

function letterOf(notice: Notice, around: Surroundings): Letter {
  switch (notice.kind) {
    case 'failed':
    case 'parked':
      return endedLetter(notice, around);
    case 'paused':
      return pausedLetter(notice);
    case 'missed':
      return missedLetter(notice, around);
    case 'unreadable':
      return unreadableLetter(notice);
    case 'ledger-gap':
      return gapLetter(notice, around);
  }
}

/** Silence must not be taken for the end of it. */
function manyLines(telling: Telling): string[] {
  // A gap is one and the same until it is closed.
  if (telling.kind === 'held' || telling.notice.kind === 'ledger-gap') return [];
  const { notice, last, more } = telling;
  const since = more && `And ${more.count.toLocaleString('en-US')} more since ${utc(more.since)}.`;
  const who = last === 'of-job' && 'jobId' in notice ? `of ${notice.jobId}` : 'like it, of whatever job,';
  const hushed = last && `More ${who} are only counted for an hour, and told at its end.`;
  const said = [since, hushed].filter((line) => typeof line === 'string');
  return said.length > 0 ? ['', ...said] : [];
}

function utc(instant: number): string {
  return zonedText(instant, 'UTC');
}

function pausedLetter({ jobId, pause }: Extract<Notice, { kind: 'paused' }>): Letter {
  return {
    subject: `paused: ${jobId}`,
    headline: `${jobId} is paused: ${plain(pause.note, 500)}`,
    facts: [
      ['next', 'its fires are skipped, each with its line in the ledger, until somebody ends the pause'],
    ],
    advice: 'See what failed; once it is mended, end the pause (--catch-up makes up what it has skipped):',
    commands: [`runs --job ${jobId} --state failed`, `resume ${jobId}`],
  };
}

function missedLetter(
  { jobId, tooOld, overLimit, oldest, newest }: Extract<Notice, { kind: 'missed' }>,
  { jobs }: Surroundings,
): Letter {
  const job = jobs.get(jobId);
  const timezone = job?.spec.timezone ?? 'UTC';
  const fires = tooOld + overLimit;
  const { limit, maxAgeMs } = job?.missed ?? {};
  const reasons = [
    tooOld > 0 ? `${tooOld.toLocaleString('en-US')} older than its maxAge${ofAge(maxAgeMs)}` : [],
    overLimit > 0
      ? `${overLimit.toLocaleString('en-US')} beyond its limit${limit ? ` of ${limit}` : ''}`
      : [],
  ];
  const due = [...new Set([oldest, newest])].map((fire) => zonedText(fire, timezone)).join(' to ');
  return {
    subject: `missed: ${counted(fires, 'fire')} of ${jobId}`,
    headline: `${counted(fires, 'fire')} of ${jobId} ${fires === 1 ? 'was' : 'were'} missed, and will not be made up: ${reasons.flat().join(', ')}`,
    facts: [['due', due]],
    advice: 'See which; and, if they are to be made up all the same:',
    commands: [
      `runs --job ${jobId} --state missed`,
      `backfill ${jobId} --from ${toIso(oldest)} --to ${toIso(newest)}`,
    ],
  };
}

function ofAge(maxAgeMs: number | undefined): string {
  return maxAgeMs === undefined ? '' : ` of ${formatDuration(maxAgeMs)}`;
}

function unreadableLetter({ messageId, bytes }: Extract<Notice, { kind: 'unreadable' }>): Letter {
  return {
    subject: 'unreadable control message',
    headline:
      'Something on the control queue is none of what fireledger sends. No fire is lost with it, but who sends it may not know.',
    facts: [
      ['message', plain(messageId, 100)],
      ['size', counted(bytes, 'character')],
      ['next', 'it is tried five times, and then kept for 14 days in the queue of the unreadable'],
    ],
    advice: `Find out who sends it: ${inRunbook(alertNames.unreadableMessages)}. Is all else well?`,
    commands: ['doctor'],
  };
}

/** Where it says what to do when the alert of this name sounds, too. */
function inRunbook(alert: AlertName): string {
  return `infra/RUNBOOK.md, "${alert}"`;
}

const mostJobsNamed = 10;

function gapLetter(
  { fires, jobIds, since }: Extract<Notice, { kind: 'ledger-gap' }>,
  { now }: Surroundings,
): Letter {
  const others = jobIds.length - mostJobsNamed;
  const named = jobIds.slice(0, mostJobsNamed).join(', ');
  return {
    subject: `ledger gap: ${counted(fires, 'fire')} without a record`,
    headline: `For ${formatDuration(wholeMinutes(now - since))} no sweep could record all fires that are past their grace: ${counted(fires, 'fire')} ${fires === 1 ? 'lacks its' : 'lack their'} record.`,
    facts: [
      ['jobs', others > 0 ? `${named} and ${counted(others, 'other')}` : named],
      ['since', utc(since)],
      ['next', 'each sweep tries again; told again in an hour, if it is still so'],
    ],
    advice: `See which, and then ${inRunbook(alertNames.ledgerGap)}:`,
    commands: ['audit', 'doctor'],
  };
}

function wholeMinutes(ms: number): number {
  return Math.max(1, Math.floor(ms / minute)) * minute;
}

/** What there were more of, and the command that lists it. */
const heldWords: Readonly<Record<Notice['kind'], { one: string; became: string; words: string }>> = {
  failed: { one: 'more run', became: 'failed', words: 'runs --state failed' },
  parked: { one: 'more run', became: 'had to be parked', words: 'runs --state parked' },
  paused: { one: 'more time', became: 'a job had to be paused', words: 'jobs' },
  missed: { one: 'more missed fire', became: 'will not be made up', words: 'runs --state missed' },
  unreadable: { one: 'more control message', became: 'could not be read', words: 'doctor' },
  'ledger-gap': { one: 'time', became: 'fires were without their record', words: 'audit' },
};

/** Nothing of the kind has just happened, or its own letter would tell how many there were. */
function heldLetter(
  { of, jobId, held: { count, since } }: Extract<Telling, { kind: 'held' }>,
  { jobs }: Surroundings,
): Letter {
  const { one, became, words } = heldWords[of];
  const whose = jobId === undefined ? '' : ` of ${jobId}`;
  const timezone = (jobId === undefined ? undefined : jobs.get(jobId)?.spec.timezone) ?? 'UTC';
  const happened = `${counted(count, one)}${whose} ${became}`;
  return {
    subject: `${of}: ${counted(count, one)}${whose}`,
    headline: `${happened} since ${zonedText(since, timezone)}.`,
    facts: [],
    advice: 'See which:',
    commands: [jobId === undefined ? words : words.replace('runs', `runs --job ${jobId}`)],
  };
}
