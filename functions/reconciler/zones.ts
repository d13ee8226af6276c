import type { ReconcilerState, ZoneTable } from '../domain/ledger.ts';
import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import { type MovedFire, movedFires, recordZone } from '../domain/schedule/index.ts';
import { day, toIso } from '../domain/time.ts';
import type { ReconcilerPorts } from './ports.ts';
import type { Tally } from './tally.ts';

/** Offsets are recorded for so long ahead, and anew when half of that is over. */
const aheadMs = 730 * day;
/** Moved fires of one job that are looked for, and that its log line shows. */
const mostMoved = 100;
const mostShown = 10;

/**
 * Keeps on record what the jobs' zones look like, since an older release of the time zone database can't be asked any
 * more. When this process has another release, the fires that it moves are told, job by job. Reads nothing while release
 * and manifest stay the same, and writes nothing while all zones are known. Returns what is on record; a failure is told,
 * and made good later.
 */
export async function watchZones(
  ports: ReconcilerPorts,
  { jobs }: Manifest,
  {
    known,
    isNewManifest,
    now,
    tally,
  }: { known: ReconcilerState['zones']; isNewManifest: boolean; now: number; tally: Tally },
): Promise<ReconcilerState['zones']> {
  const { ledger, tzdata, log } = ports;
  const isFresh = known?.tzdata === tzdata && now < known.recordedAt + aheadMs / 2;
  if (isFresh && !isNewManifest) return known;
  try {
    const before = await ledger.zones();
    if (isFresh && jobs.every(({ spec }) => before?.zones[spec.timezone])) return known;
    if (before !== null && before.tzdata !== tzdata)
      for (const job of jobs) tally.add('moved', tellMoved(ports, job, { before, now }));
    const zones = recordAll(ports, jobs, now);
    await ledger.saveZones({ tzdata, recordedAt: now, zones });
    return { tzdata, recordedAt: now };
  } catch (error) {
    log.error('the offsets of the time zones could not be recorded', { tzdata, error });
    return known;
  }
}

/** How many fires of a job moved. */
function tellMoved(
  { log, tzdata }: ReconcilerPorts,
  { id: jobId, spec }: ManifestJob,
  { before, now }: { before: ZoneTable; now: number },
): number {
  const record = before.zones[spec.timezone];
  if (record === undefined) return 0;
  try {
    const moved = movedFires(spec, record, { now, most: mostMoved });
    if (moved.length > 0)
      log.warn('fires moved: the rules of their time zone changed', {
        ...{ jobId, timezone: spec.timezone, before: before.tzdata, after: tzdata },
        fires: moved.slice(0, mostShown).map(shown),
        more: Math.max(0, moved.length - mostShown),
      });
    return moved.length;
  } catch (error) {
    log.error('the fires of a job could not be compared', { jobId, error });
    return 0;
  }
}

/** `2027-03-28T01:00:00Z → 2027-03-28T02:00:00Z` */
function shown({ from, to }: MovedFire): string {
  return `${from === null ? 'not due' : toIso(from)} → ${to === null ? 'not due' : toIso(to)}`;
}

function recordAll({ log }: ReconcilerPorts, jobs: readonly ManifestJob[], now: number): ZoneTable['zones'] {
  const names = [...new Set(jobs.map(({ spec }) => spec.timezone))];
  const records = names.flatMap((name) => {
    try {
      return [[name, recordZone(name, now, now + aheadMs)] as const];
    } catch (error) {
      log.error('a time zone is not known', { timezone: name, error });
      return [];
    }
  });
  return Object.fromEntries(records);
}
