import type { Action } from '../../domain/action.ts';
import { type Waiting, waitingsOf } from '../../domain/contention/holding.ts';
import { lengthOf } from '../../domain/contention/span.ts';
import {
  type Attempt,
  type CancelRequest,
  isOpen,
  type Released,
  type Run,
  type Suspicion,
  waitsSince,
} from '../../domain/run.ts';
import { howText } from './action-words.ts';
import { requestedText } from './request-words.ts';
import { oneLine } from './text.ts';
import { spanText } from './times.ts';
import { wantedText } from './wanted-words.ts';

export interface TimelineEvent {
  readonly at: number;
  readonly what: string;
}

/**
 * What happened to a run, oldest first, as far as its record tells; and what people did to it, of which that keeps the
 * last alone.
 */
export function timelineOf(
  run: Run,
  { actions, timezone }: { actions: readonly Action[]; timezone: string },
): TimelineEvent[] {
  const { fireTime, createdAt, settledAt, suspected, timedOutAt, cancelRequested, released, requested } = run;
  const events: TimelineEvent[] = [
    ...(run.trigger === 'manual' ? [] : [{ at: fireTime, what: 'due' }]),
    { at: createdAt, what: wasMissed(run) ? 'recorded as missed' : 'recorded' },
    ...waitingsOf(run, waitsSince(run)).flatMap(waitEvents),
    ...run.attempts.flatMap(attemptEvents),
  ];
  if (suspected !== undefined) events.push(suspicionEvent(suspected));
  if (timedOutAt !== undefined) {
    const why = cancelRequested === undefined ? 'over its timeout' : 'asked to end';
    events.push({ at: timedOutAt, what: `${why}, and did not stop` });
  }
  if (requested !== undefined) events.push({ at: requested.at, what: requestedText(run) });
  if (released !== undefined) events.push({ at: released.at, what: releaseWords(run, released) });
  if (cancelRequested !== undefined)
    events.push({ at: cancelRequested.at, what: requestWords(cancelRequested) });
  if (settledAt !== undefined && !isOpen(run.state)) events.push({ at: settledAt, what: run.state });
  const told = new Set([requested?.at, released?.at, cancelRequested?.at]);
  const before = actions.filter(({ at }) => !told.has(at)).map((action) => actionEvent(action, timezone));
  return [...events, ...before].sort((a, b) => a.at - b.at);
}

/** `release by ops, as resume: “the bank has nothing”`. */
function actionEvent(action: Action, timezone: string): TimelineEvent {
  const how = howText(action, timezone);
  return { at: action.at, what: `${action.verb} by ${oneLine(action.by)}${how === '' ? '' : `, ${how}`}` };
}

/** One that a person had made up may have failed, or was due before anybody looked. */
function wasMissed({ trigger, requested }: Run): boolean {
  return trigger === 'backfill' && requested === undefined;
}

function waitEvents(wait: Waiting): TimelineEvent[] {
  const what = wantedText(wait);
  const begun = { at: wait.from, what: `waits for ${what}` };
  if (!wait.isOver) return [begun];
  return [begun, { at: wait.until, what: `has waited ${spanText(lengthOf(wait))} for ${what}` }];
}

function attemptEvents({ number, startedAt, settledAt, outcome, suspected }: Attempt): TimelineEvent[] {
  const begun = [
    { at: startedAt, what: `attempt ${number} started` },
    ...(suspected === undefined ? [] : [suspicionEvent(suspected)]),
  ];
  if (settledAt === undefined) return begun;
  return [...begun, { at: settledAt, what: `attempt ${number} ${outcomeWords(outcome)}` }];
}

function suspicionEvent({ at, why }: Suspicion): TimelineEvent {
  return { at, what: `suspected dead: ${oneLine(why)}` };
}

/** What proved it is part of the evidence: a crash is what the lease's end says of an attempt that did not settle. */
function outcomeWords(outcome: Attempt['outcome']): string {
  if (outcome === 'crashed') return 'crashed: its lease ended, and it had not settled';
  return outcome === 'continued' ? 'ended, to go on in another one' : (outcome ?? 'settled');
}

const releases: Record<Released['as'], string> = {
  rerun: 'released to run again',
  resume: 'released to go on after what it had done',
  fail: 'released as failed',
};

function releaseWords({ note }: Run, { by, as, step }: Released): string {
  const told =
    step === undefined
      ? ''
      : `, its step ${oneLine(JSON.stringify(step.name))} ${step.done ? 'done' : 'not done'},`;
  return `${releases[as]}${told} by ${oneLine(by)}${note === undefined ? '' : `: ${oneLine(note)}`}`;
}

function requestWords({ by, reason, note }: CancelRequest): string {
  if (reason === 'superseded') return `asked to end: the fire of ${oneLine(by)} takes its place`;
  return `asked to end by ${oneLine(by)}${note === undefined ? '' : `: ${oneLine(note)}`}`;
}
