import { fireTimeOf, runId } from '../../domain/names.ts';
import { type CancelRequest, type Progress, type Reason, type Run, waitsSince } from '../../domain/run.ts';
import type { KnownJob } from '../known-jobs.ts';
import { requestedText } from './request-words.ts';
import { counted, oneLine } from './text.ts';
import { localText, spanText } from './times.ts';
import { wantedText } from './wanted-words.ts';

const sentences: Record<Exclude<Reason, 'waited-too-long' | 'pool'>, string> = {
  overlap: 'the run before it had not ended',
  paused: 'its job was paused',
  superseded: 'a newer missed fire stands for it',
  edited: 'its schedule was changed before it ran',
  excluded: 'its job excepts this time',
  policy: 'its job makes up no missed fires',
  'too-old': 'missed, and older than its job makes up',
  'over-limit': 'more fires were missed than its job makes up',
  error: 'its handler threw an error',
  'timed-out': 'its handler took longer than its timeout',
  crashed: 'its process died half-way',
  slot: 'waits until no other run of its job is going',
  'catch-up': 'missed; waits for its turn to be made up',
  'uncertain-step': 'nobody knows whether a step of it was done',
  operator: 'a person canceled it',
  removed: 'its job was removed',
};

/** Why a run is what it is, in words; empty when there is nothing to say about it. */
export function why(run: Run, job: Pick<KnownJob, 'timezone' | 'attempts'>): string {
  return [startedText(run), becameText(run, job)].filter((part) => part !== '').join('; ');
}

/** The same for who has had it run himself. */
export function becameText(
  run: Run,
  { timezone, attempts }: Pick<KnownJob, 'timezone' | 'attempts'>,
): string {
  const parts = [
    run.reason === undefined ? '' : `${run.reason}: ${reasonText(run, { reason: run.reason, timezone })}`,
    run.supersededBy === undefined ? '' : `it is that of ${keyText(run.supersededBy, timezone)}`,
    run.covers?.length ? `stands for ${counted(run.covers.length, 'older missed fire')}` : '',
    run.error === undefined || run.reason === 'error' ? '' : errorText(run.error),
    run.suspected === undefined ? '' : `suspected dead: ${oneLine(run.suspected.why)}`,
    run.state === 'running' ? stoppingText(run, timezone) : '',
    run.state === 'retrying' ? againText(run, { timezone, attempts }) : '',
    run.unsent ? `goes on in another attempt, after ${counted(run.hops ?? 0, 'hop')}` : '',
    run.state === 'parked' ? decisionText(run) : '',
    run.note === undefined ? '' : `note: ${oneLine(run.note)}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function errorText({ name, message }: NonNullable<Run['error']>): string {
  return oneLine(`${name}: ${message}`);
}

/** What but its schedule had it run. */
function startedText(run: Run): string {
  if (run.requested !== undefined) return requestedText(run);
  const isMadeUp = run.trigger === 'backfill' && run.attempts.length > 0;
  return isMadeUp ? 'missed: nothing started it within its grace; then made up' : '';
}

/** `tried again at 2026-12-01 03:04 +08:00, attempt 2 of 3`. A crash is none of those that its job bounds. */
function againText(
  { attentionAt, failures = 0, crashes }: Run,
  { timezone, attempts }: Pick<KnownJob, 'timezone'> & { attempts: number | undefined },
): string {
  const due = attentionAt === undefined ? '' : ` at ${localText(attentionAt, timezone)}`;
  const which = attempts === undefined ? `${1 + failures + crashes}` : `${1 + failures} of ${attempts}`;
  return `tried again${due}, attempt ${which}`;
}

function decisionText({ uncertain }: Run): string {
  return uncertain === undefined
    ? 'a person must decide: fl release'
    : `a person must say whether its step ${oneLine(JSON.stringify(uncertain))} was done: fl release --resume, with --done or --not-done`;
}

/** `120 of 500 (24 %), invoices`. */
export function progressText({ done, total, note }: Progress): string {
  const share = total === undefined || total === 0 ? '' : ` (${Math.floor((100 * done) / total)} %)`;
  const [count, all] = [done, total].map((value) => value?.toLocaleString('en-US'));
  const far = all === undefined ? `${count}` : `${count} of ${all}${share}`;
  return note === undefined ? far : `${far}, ${oneLine(note)}`;
}

/** What is to end a running run. */
function stoppingText(run: Run, timezone: string): string {
  const { cancelRequested, timedOutAt, suspected } = run;
  const why = cancelRequested === undefined ? 'over its timeout' : 'asked to end';
  if (timedOutAt !== undefined) return `${why}; settled when its lease ends`;
  if (cancelRequested === undefined) return '';
  return `${why}; ${suspected === undefined ? 'its code is reached within 15 s' : deadText(run, timezone)}`;
}

/** When one ends that was asked to, and whose process heeds nobody any more. */
export function deadText({ attempts }: Run, timezone: string): string {
  const until = attempts.at(-1)?.leaseUntil;
  const at = until === undefined ? '' : `, at ${localText(until, timezone)}`;
  return `its process is probably dead, so it is canceled when its lease ends${at}`;
}

function reasonText(run: Run, { reason, timezone }: { reason: Reason; timezone: string }): string {
  const { state, supersededBy, cancelRequested, waitsFor: pools } = run;
  if (reason === 'waited-too-long') return `waited longer for ${waitedFor(run)} than its job lets it`;
  if (reason === 'pool')
    return `it has its slot, and waits for ${wantedText({ reason, ...(pools && { pools }) })} since ${localText(waitsSince(run), timezone)}`;
  if (reason === 'error' && run.error !== undefined) return `its handler threw ${errorText(run.error)}`;
  if (reason === 'operator' && cancelRequested !== undefined) return canceledText(cancelRequested);
  if (state === 'canceled' && reason === 'superseded') return 'a newer fire takes its place';
  if (reason === 'catch-up' && run.requested !== undefined) return 'waits for its turn to be made up';
  const isOfQueue = reason === 'superseded' && supersededBy === undefined;
  return isOfQueue ? 'so many newer fires wait in its queue that it gave way' : sentences[reason];
}

/** For what it waited when it gave up: the last of its waits tells. */
function waitedFor({ waits = [] }: Run): string {
  const last = waits.at(-1);
  return last === undefined ? 'its slot or its pools' : wantedText(last);
}

function canceledText({ by, note }: CancelRequest): string {
  return `${oneLine(by)} canceled it${note === undefined ? '' : `: ${oneLine(note)}`}`;
}

/** Who is in a waiting run's way isn't on its record. */
export function whereToAsk(run: Pick<Run, 'state' | 'jobId' | 'key'>): string {
  return run.state === 'waiting' ? `fl why ${runId(run)} tells behind whom` : '';
}

/** How long after it was due its first attempt started; null when none did, or when it was never due. */
export function lateByMs(run: Run): number | null {
  const first = run.attempts[0];
  return first === undefined || run.trigger === 'manual' ? null : first.startedAt - run.fireTime;
}

export function lateText(run: Run): string {
  const late = lateByMs(run);
  return late === null ? '-' : spanText(late);
}

function keyText(key: string, timezone: string): string {
  const fireTime = fireTimeOf(key);
  return fireTime === null ? oneLine(key) : localText(fireTime, timezone);
}
