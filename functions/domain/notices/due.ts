import { hour } from '../time.ts';
import { idOf, keyOf, type Notice, type NoticeKind, partsOf, sizeOf } from './notice.ts';

/** What was told under a key in the hour from `since` on, by id, and how many more there were. */
export interface ToldHour {
  readonly since: number;
  readonly told: readonly string[];
  readonly held: number;
}

/** By key of notices; of all notices of a kind together under the kind's own name. */
export type Noticed = Readonly<Record<string, ToldHour>>;

/** What was held back before: so many, since then. */
export interface Held {
  readonly count: number;
  readonly since: number;
}

/** What is to be told now. */
export type Telling =
  /** `last`: no more of its job, or of its kind, are told one by one in this hour. */
  | {
      readonly kind: 'one';
      readonly notice: Notice;
      readonly last?: 'of-job' | 'of-kind';
      readonly more?: Held;
    }
  /** Of a key with nothing new to tell: only how many there were. */
  | { readonly kind: 'held'; readonly of: NoticeKind; readonly jobId?: string; readonly held: Held };

type One = Extract<Telling, { kind: 'one' }>;

/** So many of a key are told in an hour. Each parked run needs a person. */
const mostOfKey: Readonly<Record<NoticeKind, number>> = {
  failed: 1,
  parked: 10,
  paused: 3,
  missed: 1,
  unreadable: 1,
  'ledger-gap': 1,
};
/** So many of a kind, whatever their jobs: when everything fails, one letter for each job helps nobody. */
const mostOfKind = 20;

/**
 * What of these notices to tell at once. Of a key that was told of within the hour the others are counted, and told together
 * once it is over. What is kept of it is bounded: an hour's worth of each kind.
 */
export function due(
  noticed: Noticed,
  notices: readonly Notice[],
  now: number,
): { readonly tell: readonly Telling[]; readonly noticed: Noticed } {
  const hours = new Map(Object.entries(noticed));
  const before = takeOver(hours, now);
  const tell: Telling[] = [];
  for (const notice of notices) {
    const key = keyOf(notice);
    const told = note(hours, { key, kind: notice.kind, id: idOf(notice), size: sizeOf(notice) }, now);
    if (told === null) continue;
    const more = before.get(key);
    before.delete(key);
    tell.push({ kind: 'one', notice, ...told, ...(more && { more }) });
  }
  for (const [key, held] of before) {
    const { kind: of, ...whose } = partsOf(key);
    if (note(hours, { key, kind: of, id: `until ${now}`, size: held.count }, now) !== null)
      tell.push({ kind: 'held', of, ...whose, held });
  }
  return { tell, noticed: Object.fromEntries(hours) };
}

/** These could not be told: they count as held back, and the next turn tries to tell how many there were. */
export function untold(noticed: Noticed, failed: readonly Telling[], now: number): Noticed {
  const hours = new Map(Object.entries(noticed));
  for (const telling of failed) {
    const key = keyOf(telling.kind === 'one' ? telling.notice : { ...telling, kind: telling.of });
    const { count, since } = heldIn(telling, now);
    const before = hours.get(key);
    hours.set(key, {
      since: Math.min(since, now - hour),
      told: before?.told ?? [],
      held: (before?.held ?? 0) + count,
    });
  }
  return Object.fromEntries(hours);
}

function heldIn(telling: Telling, now: number): Held {
  if (telling.kind === 'held') return telling.held;
  const { count, since } = telling.more ?? { count: 0, since: now };
  return { count: count + sizeOf(telling.notice), since };
}

type Hours = Map<string, ToldHour>;

/** Takes out the hours that are over; of those in which something was held back, how much. */
function takeOver(hours: Hours, now: number): Map<string, Held> {
  const over = new Map<string, Held>();
  for (const [key, { since, held }] of hours) {
    // A clock that was set back must not silence a key for longer than an hour.
    if (Math.abs(now - since) < hour) continue;
    hours.delete(key);
    if (held > 0) over.set(key, { count: held, since });
  }
  return over;
}

interface Noted {
  readonly key: string;
  readonly kind: NoticeKind;
  readonly id: string;
  readonly size: number;
}

/** Null: not to be told now. What is held back for its kind's sake is counted there alone. */
function note(hours: Hours, { key, kind, id, size }: Noted, now: number): Pick<One, 'last'> | null {
  const ofKey = hours.get(key) ?? { since: now, told: [], held: 0 };
  if (ofKey.told.includes(id)) return null;
  if (ofKey.told.length >= mostOf(key, kind)) {
    hours.set(key, { ...ofKey, held: ofKey.held + size });
    return null;
  }
  const leftOfKind = key === kind ? mostOfKind : placesLeft(hours, kind, { size, now });
  if (leftOfKind === 0) return null;
  const told = [...ofKey.told, id];
  hours.set(key, { ...ofKey, told });
  if (leftOfKind === 1) return { last: 'of-kind' };
  return told.length >= mostOf(key, kind) ? { last: 'of-job' } : {};
}

/** How many of a kind could still be told before this one, which takes a place if there is one. */
function placesLeft(hours: Hours, kind: NoticeKind, { size, now }: { size: number; now: number }): number {
  const ofKind = hours.get(kind) ?? { since: now, told: [], held: 0 };
  const left = mostOfKind - ofKind.told.length;
  const next = left === 0 ? { held: ofKind.held + size } : { told: [...ofKind.told, String(left)] };
  hours.set(kind, { ...ofKind, ...next });
  return left;
}

function mostOf(key: string, kind: NoticeKind): number {
  return key === kind && isByJob(kind) ? mostOfKind : mostOfKey[kind];
}

function isByJob(kind: NoticeKind): boolean {
  return kind !== 'unreadable' && kind !== 'ledger-gap';
}
