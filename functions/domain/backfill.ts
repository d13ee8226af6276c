import { runAgain } from './again.ts';
import type { SpecVersion } from './job-state.ts';
import type { ManifestJob } from './manifest.ts';
import { fireKey } from './names.ts';
import type { Run, RunState } from './run.ts';
import { exclusions, type Spec, timetable } from './schedule/index.ts';
import { day } from './time.ts';

/** Which fires of a range a person has made up. `missed`: those without a record, too. Each: those of a backfill that was taken back. */
export const backfillKinds = ['missed', 'failed', 'skipped', 'all'] as const;
export type BackfillKind = (typeof backfillKinds)[number];

/** A fire that is made up for. `run`: its record, as it stands; absent: it has none. */
export interface FireToMakeUp {
  readonly fireTime: number;
  readonly key: string;
  /** The version of the schedule by which it was due. */
  readonly specId: string;
  readonly run?: Run;
}

export interface Backfill {
  /** Oldest first. */
  readonly fires: readonly FireToMakeUp[];
  /** Fires of the range that are left as they are, by why. */
  readonly left: Readonly<Partial<Record<LeftFor, number>>>;
  /** The range has more than `mostDue` fires, and these are but the first. */
  readonly isCut?: true;
}

/**
 * The state in which they are; `excepted`: their job excepts them; `expired`: they have no record, and were due so long ago that
 * it may have been deleted, so that nobody knows whether they ran.
 */
export type LeftFor = RunState | 'excepted' | 'expired';

/** So many fires are looked through at once: more than a year of minutes. */
export const mostDue = 600_000;

/** No stage deletes records before. */
const keptMs = 366 * day;

/** Both inclusive, epoch milliseconds. */
export interface BackfillRange {
  readonly from: number;
  readonly to: number;
}

const wanted: Readonly<Record<BackfillKind, readonly RunState[]>> = {
  missed: ['missed'],
  failed: ['failed', 'canceled'],
  skipped: ['skipped'],
  all: ['missed', 'failed', 'canceled', 'skipped'],
};

/**
 * The fires that a range has under the versions of the schedule that were in force, and before the first of them under that one;
 * and which of them are made up. Fires without a record within their grace are left to their alarms. `runs`: the records of the range.
 */
export function planBackfill(
  job: Pick<ManifestJob, 'spec' | 'specId' | 'graceMs'>,
  {
    versions,
    runs,
    range,
    only,
    now,
  }: {
    readonly versions: readonly SpecVersion[];
    readonly runs: readonly Run[];
    readonly range: BackfillRange;
    readonly only: BackfillKind;
    readonly now: number;
  },
): Backfill {
  const until = Math.min(range.to, now);
  const byKey = new Map(runs.map((run) => [run.key, run]));
  const left: Partial<Record<LeftFor, number>> = {};
  const fires: FireToMakeUp[] = [];
  const isExpired = expiry(versions, now);
  let looked = 0;
  for (const { isExcepted, ...fire } of dueIn(job, versions, { from: range.from, to: until })) {
    looked += 1;
    if (looked > mostDue) return { fires, left, isCut: true };
    const run = byKey.get(fire.key);
    if (run === undefined && fire.fireTime > now - job.graceMs) continue;
    const why = isExcepted ? 'excepted' : leftFor(run, only, { isExpired: isExpired(fire.fireTime), now });
    if (why === null) fires.push({ ...fire, ...(run && { run }) });
    else left[why] = (left[why] ?? 0) + 1;
  }
  return { fires, left };
}

/** Whether the record of a fire may have been there, and be deleted. Before its job was first deployed there was none. */
function expiry(versions: readonly SpecVersion[], now: number): (fireTime: number) => boolean {
  const deployedAt = versions[0]?.from ?? Number.POSITIVE_INFINITY;
  return (fireTime) => fireTime > deployedAt && fireTime < now - keptMs;
}

/** Null: it is made up. */
function leftFor(
  run: Run | undefined,
  only: BackfillKind,
  { isExpired, now }: { isExpired: boolean; now: number },
): LeftFor | null {
  if (run !== undefined) return isToMakeUp(run, only, now) ? null : run.state;
  if (isExpired) return 'expired';
  return wanted[only].includes('missed') ? null : 'missed';
}

function isToMakeUp(run: Run, only: BackfillKind, now: number): boolean {
  const wish = { haste: 'backfill', keepsSteps: true, requested: { at: now, by: '' }, token: '' } as const;
  return (wanted[only].includes(run.state) || isTakenBack(run)) && runAgain(run, wish).kind === 'write';
}

/** Nobody knows any more what it was before, so it is of every kind: who stopped a backfill may begin it again. */
function isTakenBack({ state, trigger, attempts }: Run): boolean {
  return state === 'canceled' && trigger === 'backfill' && attempts.length === 0;
}

function* dueIn(
  job: Pick<ManifestJob, 'spec' | 'specId'>,
  versions: readonly SpecVersion[],
  { from, to }: BackfillRange,
): Generator<Omit<FireToMakeUp, 'run'> & { isExcepted: boolean }> {
  for (const { spec, specId, since, until } of reigns(job, versions)) {
    const [first, last] = [Math.max(from - 1, since), Math.min(to, until)];
    if (first >= last) continue;
    const isExcepted = exclusions(spec);
    for (const fireTime of timetable(spec).between(first, last))
      yield { fireTime, specId, key: fireKey(fireTime), isExcepted: isExcepted(fireTime) };
  }
}

interface Reign {
  readonly spec: Spec;
  readonly specId: string;
  readonly since: number;
  readonly until: number;
}

/** The oldest version that is known is taken for all the time before it. */
function reigns(
  { spec, specId }: Pick<ManifestJob, 'spec' | 'specId'>,
  versions: readonly SpecVersion[],
): Reign[] {
  const known = versions.length === 0 ? [{ spec, specId, from: 0 }] : versions;
  return known.flatMap((version, index) => {
    if (version.spec === null) return [];
    const since = index === 0 ? 0 : version.from;
    const until = known[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    return [{ spec: version.spec, specId: version.specId, since, until }];
  });
}
