import {
  type ClockChange,
  clockChanges,
  type Exception,
  isExcluded,
  localTime,
  type Spec,
  showing,
  timetable,
} from '../domain/schedule/index.ts';
import { inWords } from '../domain/schedule-words.ts';
import { toIso } from '../domain/time.ts';

/** A due instant, and what is special about it. */
export interface NextFire {
  readonly at: number;
  /** Of the changes of the clocks since the fire before: those that touch a fire, and one that explains a new offset. */
  readonly changes: readonly ClockChange[];
  /** The local times in a gap (`2027-03-28T02:30:00`) for which it is due. */
  readonly movedFrom: readonly string[];
  /** Which of the two it is, where its local time comes twice. */
  readonly showing: 'first' | 'second' | null;
  /** Why it will be skipped, in words; null when it will run. */
  readonly excluded: string | null;
}

/** The first `count` fires of a spec strictly after `from`. */
export function nextFires(spec: Spec, from: number, count: number): NextFire[] {
  const due = timetable(spec);
  const fires: NextFire[] = [];
  let before = from;
  for (let at = due.next(from); at !== null && fires.length < count; at = due.next(at)) {
    fires.push(nextFire(spec, before, at));
    before = at;
  }
  return fires;
}

function nextFire(spec: Spec, before: number, at: number): NextFire {
  const changes = clockChanges(spec, before + 1, at);
  const here = changes.find((change) => change.at === at && change.after > change.before)?.times ?? [];
  return {
    at,
    changes: worthTelling(changes),
    movedFrom: here.filter(({ due }) => due.includes(at)).map(({ local }) => local),
    showing: showing(at, spec.timezone),
    excluded: exclusionOf(spec, at),
  };
}

/** Years may lie between two fires: a change that touches none, and whose offset is changed back, is left out. */
function worthTelling(changes: readonly ClockChange[]): ClockChange[] {
  const last = changes.at(-1);
  const explaining = last !== undefined && last.after !== changes[0]?.before ? last : undefined;
  return changes.filter((change) => change.times.length > 0 || change === explaining);
}

function exclusionOf(spec: Spec, fire: number): string | null {
  const exception = spec.except?.find((one) => isExcluded({ ...spec, except: [one] }, fire));
  return exception === undefined ? null : exceptionWords(exception);
}

function exceptionWords(exception: Exception): string {
  return typeof exception === 'string' ? exception.replace('/', ' to ') : inWords({ schedules: [exception] });
}

/** The same facts for scripts; what doesn't apply is left out. */
export function nextFireJson(fire: NextFire, timezone: string): Readonly<Record<string, unknown>> {
  const { at, changes, movedFrom, showing, excluded } = fire;
  return {
    fireTime: toIso(at),
    localTime: localTime(at, timezone),
    ...(changes.length > 0 && { clockChanges: changes.map((change) => clockChangeJson(change, timezone)) }),
    ...(movedFrom.length > 0 && { movedFrom }),
    ...(showing !== null && { showing }),
    ...(excluded !== null && { excluded }),
  };
}

function clockChangeJson({ at, times }: ClockChange, timezone: string): Readonly<Record<string, unknown>> {
  return {
    at: toIso(at),
    from: localTime(at - 1, timezone).slice(19),
    to: localTime(at, timezone).slice(19),
    times: times.map(({ local, due }) => ({ localTime: local, due: due.map(toIso) })),
  };
}
