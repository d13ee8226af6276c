import type { Holder, Waiting } from '../../domain/contention/holding.ts';
import { lengthOf } from '../../domain/contention/span.ts';
import type { Pause } from '../../domain/job-state.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { minute, second } from '../../domain/time.ts';
import type { Explanation } from '../explanation.ts';
import type { HolderNow, Outlook } from '../outlook.ts';
import { counted, oneLine } from './text.ts';
import { localText, spanText } from './times.ts';
import { wantedText, weightsText } from './wanted-words.ts';

const mostNamed = 5;

/** A shorter wait that is over is the reconciler's way of handing a place over, and no one was in its way. */
const handOverMs = 2 * second;

/** How long a run waited for what, and behind whom. */
export function waitSentences(waits: Explanation['waits'], { timezone }: { timezone: string }): string[] {
  const told = waits.filter(
    ({ wait, behind }) => !wait.isOver || behind.length > 0 || lengthOf(wait) >= handOverMs,
  );
  return told.map(({ wait, behind }) => {
    const time = `${wait.isOver ? 'It waited' : 'It has waited'} ${spanText(lengthOf(wait))}`;
    const since = `${wait.isOver ? 'from' : 'since'} ${localText(wait.from, timezone)}${wait.isOver ? ' on' : ''}`;
    return `${time} for ${wantedText(wait)}, ${since}${behindText(wait, behind)}.`;
  });
}

function behindText({ reason }: Waiting, behind: readonly Holder[]): string {
  if (reason === 'catch-up') return '';
  const named = behind
    .slice(0, mostNamed)
    .map(
      ({ run, weights, heldMs }) =>
        `${runId(run)}, which had ${reason === 'slot' ? 'it' : weightsText(weights)} for ${spanText(heldMs)} of that`,
    );
  const more = behind.length - named.length;
  if (named.length === 0) return '; no run is known that had it then';
  return `, behind ${named.join('; ')}${more > 0 ? `; and ${counted(more, 'other')}` : ''}`;
}

/** How things stand for a run that waits now. */
export function outlookSentences(
  { position, of, lacks, holders, at, paused }: Outlook,
  { timezone, now }: { timezone: string; now: number },
): string[] {
  const place = `It is number ${position} of ${of} in the order${lacks.length === 0 ? '' : `; of ${lacks.map(oneLine).join(', ')} too little is left for it`}.`;
  const when =
    at === null
      ? "When its turn comes can't be told: how long some of those before it still take isn't known."
      : `Its turn should come ${at - now < minute ? 'within a minute' : `about ${localText(at, timezone)}, in ${spanText(at - now)}`}, if they take as long as they usually do.`;
  const stopped =
    paused === null
      ? when
      : `Its job is paused since ${localText(paused.at, timezone)} by ${oneLine(paused.by)}${paused.note === '' ? '' : ` (${oneLine(paused.note)})`}: nothing of it is started until ${endOfPause(paused, timezone)}.`;
  return [
    place,
    ...holders.slice(0, mostNamed).map((holder) => holderText(holder, { timezone, now })),
    stopped,
  ];
}

function holderText(holder: HolderNow, { timezone, now }: { timezone: string; now: number }): string {
  const { run, weights, since } = holder;
  const what = Object.keys(weights).length === 0 ? 'the slot' : weightsText(weights);
  return `${runId(run)} has ${what} since ${localText(since, timezone)}; ${endText(holder, { timezone, now })}.`;
}

/** When a run that has something should give it back, and when at the latest. */
function endText(
  { run, until, usualMs, bound }: HolderNow,
  { timezone, now }: { timezone: string; now: number },
): string {
  if (run.state === 'waiting') return `it waits itself: fl why ${runId(run)} tells for what`;
  const started = run.attempts.at(-1)?.startedAt;
  const usual = usualMs === null ? 'how long it takes is not known' : `usually ${spanText(usualMs)}`;
  const running =
    started === undefined ? 'nothing has taken its offer yet' : `running ${spanText(now - started)}`;
  const parts = [
    run.suspected === undefined ? '' : 'it is suspected dead',
    until === null ? `${usual}, ${running}` : `it should end in ${spanText(until - now)}`,
    bound === null ? '' : `at the latest ${localText(bound.at, timezone)}, ${boundWords[bound.by]}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

const boundWords = { timeout: 'its timeout', lease: 'when its lease ends' } as const;

/** From this on a start is called late: alarms are no more precise. */
const lateMs = minute;

/** What the time between due and started went into; none when it started in time, or never. */
export function lateSentences(run: Run, waits: readonly { readonly wait: Waiting }[]): string[] {
  const started = run.attempts[0]?.startedAt;
  if (started === undefined || started - run.fireTime < lateMs || run.trigger === 'manual') return [];
  const begun = begunOf(run, started);
  const counts = ({ from, until }: Waiting) => from >= begun.at && until <= started;
  const waited = waits.reduce((sum, { wait }) => (counts(wait) ? sum + lengthOf(wait) : sum), 0);
  const recorded = Math.max(0, begun.at - run.fireTime);
  const rest = started - run.fireTime - recorded - waited;
  const parts = [
    `${spanText(recorded)} until ${begun.what}`,
    ...(waited === 0 ? [] : [`${spanText(waited)} of waiting`]),
    `${spanText(rest)} until its code began`,
  ];
  return [`It started ${spanText(started - run.fireTime)} after it was due: ${parts.join(', ')}.`];
}

/** With what its way to its first attempt began. */
function begunOf({ createdAt, trigger, requested }: Run, started: number): { at: number; what: string } {
  if (requested !== undefined && requested.at <= started)
    return { at: requested.at, what: `${oneLine(requested.by)} asked for it` };
  return { at: createdAt, what: `it was recorded${trigger === 'backfill' ? ' as missed' : ''}` };
}

function endOfPause({ until }: Pause, timezone: string): string {
  return until === undefined ? 'it is resumed' : localText(until, timezone);
}
