import { everyJob } from '../../cli/known-jobs.ts';
import type { Span } from '../../domain/contention/span.ts';
import type { SpecVersion } from '../../domain/job-state.ts';
import type { Ledger } from '../../domain/ledger.ts';
import { type Spec, timetable } from '../../domain/schedule/index.ts';
import { day, hour, toIso } from '../../domain/time.ts';
import type { Bar, Lane, TimelineAnswer } from '../data.ts';
import { type TimedBar, timedBars } from './bars.ts';
import { inParallel } from './in-parallel.ts';
import { clockLines, deployLines } from './lines.ts';
import { mergedBars, pixelOf } from './merged-bars.ts';
import { holdingOf, mostOfEachPixel, poolUse } from './pool-use.ts';
import { rangeOf } from './range.ts';
import { type JobRuns, pastIn } from './runs-in.ts';
import { knownJobOf, manifestOf, type View } from './view.ts';

/** So many bars are in one answer. */
const mostBars = 30_000;

/**
 * What ran when, a lane for each job: of a range, and of all jobs or of those that `job` names. By `pixel`, what can't be
 * told apart is one bar.
 */
export async function timelineAnswer({ place, now }: View, query: URLSearchParams): Promise<TimelineAnswer> {
  const { ledger } = place;
  const range = rangeOf(query, { from: now - day, until: now + hour });
  const manifest = await manifestOf(ledger);
  const asked = query.getAll('job');
  const jobs = asked.length === 0 ? everyJob(manifest) : asked.map((id) => knownJobOf(manifest, id));
  const [found, versions, pools] = await Promise.all([
    pastIn(ledger, jobs, range),
    versionsOf(ledger, jobs, range),
    ledger.pools(Object.keys(manifest.pools ?? {})),
  ]);
  const pixelMs = pixelOf(query);
  const { kept, cut } = newest(found.map((one) => mergedBars(timedBars(one, range, now), pixelMs)));
  const lanes = jobs.map(
    ({ id, timezone }, index): Lane => ({ jobId: id, timezone, bars: kept[index] ?? [] }),
  );
  const holdings = found.flatMap(({ runs, closed }) => [
    ...runs.flatMap((run) => holdingOf(run, now)),
    ...closed.flatMap(({ held }) => held ?? []),
  ]);
  const specs = new Map(manifest.jobs.map(({ id, spec }) => [id, spec]));
  const unread = found.map((one) => unreadOf(one, specs.get(one.id)));
  return {
    ...{ from: toIso(range.from), to: toIso(range.until), now: toIso(now), lanes },
    lines: [...clockLines(jobs, range), ...deployLines(versions, range)].sort((a, b) =>
      a.at < b.at ? -1 : 1,
    ),
    pools: [...pools.values()].map((pool) =>
      mostOfEachPixel(poolUse(pool, holdings, { range, now }), pixelMs),
    ),
    leftOut: unread.reduce((sum, count) => sum + count, cut),
  };
}

/** The newest bars of all lanes, and how many runs there are besides. */
function newest(lanes: readonly (readonly TimedBar[])[]): { kept: Bar[][]; cut: number } {
  const all = lanes.flat();
  if (all.length <= mostBars) return { kept: lanes.map((bars) => bars.map(({ bar }) => bar)), cut: 0 };
  const from = all.map(({ at }) => at).sort((a, b) => b - a)[mostBars - 1] ?? 0;
  const kept = lanes.map((bars) => bars.filter(({ at }) => at >= from).map(({ bar }) => bar));
  const left = all.filter(({ at }) => at < from);
  return { kept, cut: left.reduce((sum, { bar: [, , , , runs = 1] }) => sum + runs, 0) };
}

/** How many of its runs were not read; where there are only records, as many as were due by the schedule of now. */
function unreadOf({ unread, leftOut }: JobRuns, spec: Spec | undefined): number {
  if (spec === undefined) return leftOut;
  const due = unread.map(({ from, until }) => [...timetable(spec).between(from, until - 1)].length);
  return due.reduce((sum, count) => sum + count, leftOut);
}

/** The versions of those jobs whose schedule has changed since the range began: of the others none lies within it. */
async function versionsOf(
  ledger: Pick<Ledger, 'jobs' | 'specs'>,
  jobs: readonly { readonly id: string }[],
  { from }: Span,
): Promise<{ readonly id: string; readonly versions: readonly SpecVersion[] }[]> {
  const states = await ledger.jobs(jobs.map(({ id }) => id));
  const changed = jobs.filter(({ id }) => (states.get(id)?.specSince ?? from) >= from);
  return inParallel(changed, async ({ id }) => ({ id, versions: await ledger.specs(id) }));
}
