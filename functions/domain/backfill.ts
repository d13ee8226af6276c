import { runAgain } from './again.ts';
import type { SpecVersion } from './job-state.ts';
import type { ManifestJob } from './manifest.ts';
import { fireKey } from './names.ts';
import type { Run, RunState } from './run.ts';
import { exclusions, type Spec, timetable } from './schedule/index.ts';

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
  /** Fires of the range that are left as they are, by their state; `excepted`: those that their job excepts. */
  readonly left: Readonly<Partial<Record<RunState | 'excepted', number>>>;
}

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
  const left: Partial<Record<RunState | 'excepted', number>> = {};
  const fires = dueIn(job, versions, { from: range.from, to: until }).flatMap(({ isExcepted, ...fire }) => {
    const run = byKey.get(fire.key);
    if (run === undefined && fire.fireTime > now - job.graceMs) return [];
    const isWanted = run === undefined ? wanted[only].includes('missed') : isToMakeUp(run, only);
    if (isWanted && !isExcepted) return [{ ...fire, ...(run && { run }) }];
    const why = isExcepted ? 'excepted' : (run?.state ?? 'missed');
    left[why] = (left[why] ?? 0) + 1;
    return [];
  });
  return { fires, left };
}

function isToMakeUp(run: Run, only: BackfillKind): boolean {
  const wish = { haste: 'backfill', keepsSteps: true, requested: { at: 0, by: '' }, token: '' } as const;
  return (wanted[only].includes(run.state) || isTakenBack(run)) && runAgain(run, wish).kind === 'write';
}

/** Nobody knows any more what it was before, so it is of every kind: who stopped a backfill may begin it again. */
function isTakenBack({ state, trigger, attempts }: Run): boolean {
  return state === 'canceled' && trigger === 'backfill' && attempts.length === 0;
}

function dueIn(
  job: Pick<ManifestJob, 'spec' | 'specId'>,
  versions: readonly SpecVersion[],
  { from, to }: BackfillRange,
): (Omit<FireToMakeUp, 'run'> & { isExcepted: boolean })[] {
  return reigns(job, versions).flatMap(({ spec, specId, since, until }) => {
    const [first, last] = [Math.max(from - 1, since), Math.min(to, until)];
    if (first >= last) return [];
    const isExcepted = exclusions(spec);
    return [...timetable(spec).between(first, last)].map((fireTime) => ({
      ...{ fireTime, specId, key: fireKey(fireTime), isExcepted: isExcepted(fireTime) },
    }));
  });
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
