import type { FireChanges, JobChange } from '../../domain/changes/index.ts';
import { canonicalJson } from '../../domain/fingerprint.ts';
import type { Spec } from '../../domain/schedule/index.ts';
import { inWords } from '../../domain/schedule-words.ts';
import { day } from '../../domain/time.ts';
import {
  amount,
  either,
  mostNamed,
  type Sentence,
  say,
  sayOf,
  type Told,
  unbroken,
} from './plan-sentence.ts';
import { counted, named, oneLine } from './text.ts';
import { localText, nearText, spanText } from './times.ts';

/** A fire's instants under the two versions, and in which zones they are shown. */
interface Shown {
  readonly from: string;
  readonly to: string;
  readonly now: number;
}

/** What becomes of a job's fires, in the time that the wall of each version's zone shows. */
export function fireSentences(job: JobChange, told: Told): Sentence[] {
  const { fires } = job;
  if (fires === null) return [];
  return [...firesOf(job, fires, told), ...cutSentences(fires, told)];
}

function firesOf(job: JobChange, fires: FireChanges, told: Told): Sentence[] {
  const { before, after } = job;
  if (before === undefined) return after === undefined ? [] : [addedSentence(job, after.spec, told)];
  if (after === undefined) return [removedSentence(fires, before.spec.timezone, told)];
  const shown = { from: before.spec.timezone, to: after.spec.timezone, now: told.now };
  return [
    { text: scheduleText(before.spec, after.spec) },
    ...movedSentences(fires, shown),
    ...vanishedSentences(fires, shown),
    ...appearedSentences(fires, shown),
    ...hiddenSentences(job, told),
    ...(job.looks.includes('never-due')
      ? [{ text: 'it is never due again', look: 'never-due' } as const]
      : []),
  ];
}

function addedSentence({ next, fires }: JobChange, spec: Spec, { days, now }: Told): Sentence {
  if (spec.schedules.every(({ kind }) => kind === 'manual')) return { text: 'it is only started by hand' };
  if (next === null) return { text: 'it is never due', look: 'never-due' };
  const due = `${oneLine(inWords(spec))} (${spec.timezone}): first due ${unbroken(nearText(next, spec.timezone, now))}`;
  return { text: `${due}, ${counted(fires?.appeared.length ?? 0, 'fire')} in ${counted(days, 'day')}` };
}

function removedSentence({ vanished }: FireChanges, timezone: string, { days, now }: Told): Sentence {
  const look = 'job-removed';
  const range = `the next ${counted(days, 'day')}`;
  if (vanished.length === 0) return { text: `nothing of it was due in ${range}`, look };
  const times = vanished.map(({ at }) => unbroken(nearText(at, timezone, now)));
  const fires = `${amount(vanished, 'fire')} of ${range} ${either(vanished, "doesn't", "don't")} come`;
  return { text: `${fires}: ${named(times, mostNamed)}`, look };
}

/** `schedule: At 03:00 → at 04:00; timezone: Asia/Taipei → Europe/Berlin`: what of it is another. */
function scheduleText(before: Spec, after: Spec): string {
  const [old, fresh] = [oneLine(inWords(before)), oneLine(inWords(after))];
  const others = (['dst', 'spreadMs', 'from', 'until', 'except'] as const)
    .filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]))
    .map((field) => `another ${field === 'spreadMs' ? 'spread' : field}`);
  const parts = [
    ...(old === fresh ? [] : [`schedule: ${old} → ${fresh.charAt(0).toLowerCase()}${fresh.slice(1)}`]),
    ...(before.timezone === after.timezone ? [] : [`timezone: ${before.timezone} → ${after.timezone}`]),
    ...others,
  ];
  return parts.join('; ') || 'its schedule is written in another way';
}

function movedSentences({ moved }: FireChanges, shown: Shown): Sentence[] {
  if (moved.length === 0) return [];
  const [shift = 0, ...others] = new Set(moved.map(({ from, to }) => to - from));
  const each = `, ${either(moved, '', 'each ')}${spanText(Math.abs(shift))} ${shift > 0 ? 'later' : 'earlier'}`;
  const by = others.length === 0 ? each : '';
  const times = moved.map((move) => moveText(move, shown));
  return [
    { text: `${amount(moved, 'fire')} ${either(moved, 'moves', 'move')}${by}: ${named(times, mostNamed)}` },
  ];
}

/** `12-02 03:00 → 04:00 +08:00`; what is the same on both sides is written once. */
function moveText({ from, to }: { from: number; to: number }, zones: Shown): string {
  const [old, fresh] = [nearText(from, zones.from, zones.now), nearText(to, zones.to, zones.now)];
  const [date, clock, offset] = old.split(' ');
  const [freshDate, freshClock, freshOffset] = fresh.split(' ');
  if (date !== freshDate) return unbroken(`${old} → ${fresh}`);
  const known = offset === freshOffset ? '' : ` ${offset}`;
  return unbroken(`${date} ${clock}${known} → ${freshClock} ${freshOffset}`);
}

function vanishedSentences({ vanished }: FireChanges, shown: Shown): Sentence[] {
  const look = 'fires-vanish';
  const passed = vanished.flatMap(({ at, passed: to }) => (to === undefined ? [] : [{ from: at, to }]));
  const excluded = vanished.filter((fire) => fire.excluded);
  const gone = vanished.filter((fire) => !fire.excluded && fire.passed === undefined);
  const times = (fires: typeof vanished) =>
    named(
      fires.map(({ at }) => unbroken(nearText(at, shown.from, shown.now))),
      mostNamed,
    );
  return [
    ...pairSentences(passed, shown, { text: 'does not come, since its new time is over', look }),
    ...sayOf(gone, `${amount(gone, 'fire')} ${either(gone, 'vanishes', 'vanish')}: ${times(gone)}`, look),
    ...sayOf(
      excluded,
      `${amount(excluded, 'fire')} ${either(excluded, 'is', 'are')} excepted from now on: ${times(excluded)}`,
      look,
    ),
  ];
}

function appearedSentences({ appeared }: FireChanges, shown: Shown): Sentence[] {
  const again = appeared.flatMap(({ at, again: from }) => (from === undefined ? [] : [{ from, to: at }]));
  const fresh = appeared.filter((fire) => fire.again === undefined);
  const times = fresh.map(({ at }) => unbroken(nearText(at, shown.to, shown.now)));
  return [
    ...pairSentences(again, shown, {
      text: 'is due twice, since its old time is over and its new one is to come',
      look: 'fires-again',
    }),
    ...sayOf(
      fresh,
      `${amount(fresh, 'fire')} ${either(fresh, 'appears', 'appear')}: ${named(times, mostNamed)}`,
    ),
  ];
}

/** One sentence each of the first few that move across this moment. */
function pairSentences(
  pairs: readonly { from: number; to: number }[],
  shown: Shown,
  { text, look }: Required<Sentence>,
): Sentence[] {
  const more = pairs.slice(mostNamed);
  return [
    ...pairs.slice(0, mostNamed).map((pair) => ({ text: `${moveText(pair, shown)} ${text}`, look })),
    ...sayOf(more, `and so ${either(more, 'does', 'do')} ${amount(more, 'more fire')}`, look),
  ];
}

/** Another schedule, and no other fire. */
function hiddenSentences({ before, after, fires, later }: JobChange, { days }: Told): Sentence[] {
  if (fires === null || fires.moved.length + fires.vanished.length + fires.appeared.length > 0) return [];
  const none = `its fires of the next ${counted(days, 'day')} stay as they are`;
  if (later === undefined) return say(`${none}, and no later one was found that doesn't`);
  const timezone = (later.is === 'vanished' ? before : after)?.spec.timezone ?? 'UTC';
  const is = later.is === 'vanished' ? 'vanishes' : 'appears';
  return say(`${none}; the first that ${is}: ${localText(later.at, timezone)}`);
}

function cutSentences({ until }: FireChanges, { now, days }: Told): Sentence[] {
  if (until >= now + days * day) return [];
  return say(`compared up to ${localText(until, 'UTC')} only: there are more fires than can be`);
}
