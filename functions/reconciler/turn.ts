import { needsOf } from '../domain/holds.ts';
import type { ReconcilerState } from '../domain/ledger.ts';
import type { Manifest } from '../domain/manifest.ts';
import { manifestIdOf } from '../domain/manifest.ts';
import type { Observed } from '../domain/plan.ts';
import { isOutdated, type Succession, succeeded } from '../domain/succession.ts';
import { minute, second } from '../domain/time.ts';
import {
  account,
  advance,
  backlogLength,
  firstWatermark,
  hasBacklog,
  putAside,
  settledUpTo,
  slicesOf,
  type Watermark,
} from '../domain/watermark.ts';
import { attendAll } from './attend.ts';
import type { Closing } from './close-days.ts';
import { tellOfTurn } from './notify.ts';
import { type Compiled, type Observation, observe } from './observe.ts';
import { endPauses, pauseFailing } from './pause.ts';
import type { Gauges, ReconcilerPorts } from './ports.ts';
import { keepPublished, type Publication, publish } from './publish.ts';
import { type Recorded, recordFires } from './record-fires.ts';
import { cancelDue } from './removed.ts';
import type { Tally } from './tally.ts';
import { watchZones } from './zones.ts';

/** What counts as live besides the longest grace, and is looked at in every turn. */
const liveMarginMs = 10 * minute;
/** A turn works through at most about so many fires of a backlog, so that it ends within seconds. */
const firesPerTurn = 2_000;
/** The lease of a turn: over when a turn can't be alive any more. */
const leaseMs = 90 * second;
/** How long a turn waits for the lease of another one. */
const patienceMs = 6 * second;

export type TurnReport =
  | { readonly kind: 'busy' | 'outdated' }
  | {
      readonly kind: 'done';
      readonly gauges: Gauges;
      readonly backlogLeft: boolean;
      /** A waiting run could start within seconds. */
      readonly startsSoon: boolean;
      readonly closing: Closing;
    };

/**
 * One turn of a sweep: under the reconciler's lease, pause what fails too often; account for the live fires and one slice of
 * the backlog, newest first; attend to open runs; admit waiters; save the watermark.
 */
export async function turn(
  ports: ReconcilerPorts,
  manifest: Manifest,
  { compiled, tally }: { compiled: Compiled; tally: Tally },
): Promise<TurnReport> {
  const lease = ports.drawToken();
  const state = await acquire(ports, lease);
  if (state === null) return { kind: 'busy' };
  try {
    const now = ports.clock();
    const manifestId = manifestIdOf(manifest);
    if (isOutdated(state.succession, { manifestId, loadedAt: ports.loadedAt }, now))
      return outdated(ports, manifestId);
    const succession = succeeded(state.succession, manifestId, now);
    const known = state.watermark ?? firstWatermark(now);
    const isNewManifest = state.manifestId !== manifestId;
    const { isComplete, leaving } = isNewManifest
      ? await publishAnew(ports, manifest, { state, succession, known, lease, now, compiled, tally })
      : await keepPublished(ports, manifest);
    const before = advance(known, now);
    const liveFrom = now - liveMarginMs - longestGrace(manifest);
    const slices = slicesOf(before, liveFrom, backlogSpan(manifest.jobs.length + leaving.length));
    await pauseFailing(ports, manifest.jobs, { now, board: tally.board });
    const seen = await observe(ports, manifest, { leaving, slices, now, compiled });
    await endPauses(ports, seen.states, now);
    const results = await recordAll(ports, seen, { now, tally });
    const owed = results.flatMap((result) => result.owed);
    const gap = results.reduce((sum, result) => sum + result.gap, seen.unknown.length);
    const accounted = slices.reduce((mark, slice) => account(mark, slice, owed), before);
    const after = putAside(accounted, slices, seen.unknown);
    const backlogLeft =
      hasBacklog(after, liveFrom) && backlogLength(after, liveFrom) < backlogLength(before, liveFrom);
    const { startsSoon } = await attendAll(ports, seen, { now, tally, caughtUp: !backlogLeft, results });
    const zones = await watchZones(ports, manifest, { known: state.zones, isNewManifest, now, tally });
    const jobIds = jobsInGap(results, seen);
    const told = await tellOfTurn(ports, tally.board, {
      ...{ before: state, gap, jobIds, now },
      ...{ jobs: seen.byId, jobStacks: manifest.jobStacks ?? 1 },
    });
    const { manifestId: _before, gapSince: _since, noticed: _told, ...others } = state;
    const kept = {
      ...others,
      succession,
      ...(isComplete && { manifestId }),
      ...(zones && { zones }),
      ...told,
    };
    const saved = await ports.ledger.save(lease, { ...kept, watermark: after, sweptAt: now });
    if (!saved) ports.log.warn('the lease of a sweep ended before it did; its watermark is not kept');
    const { parkedNow, oldestWaitMs } = seen;
    const gauges = { gap, unaccountedMs: now - settledUpTo(after), parkedNow, oldestWaitMs };
    const closing = { states: seen.states, mark: after, since: state.sweptAt ?? now, now };
    return { kind: 'done', gauges, backlogLeft, startsSoon, closing };
  } finally {
    await ports.ledger.releaseLease(lease);
  }
}

/** The newer one sweeps, and tells by its metrics that it does: this one's heartbeat must not stand in for that. */
function outdated({ log }: ReconcilerPorts, manifestId: string): TurnReport {
  log.warn('a newer manifest has taken force: this reconciler of an earlier deploy leaves the sweep to it', {
    manifestId,
  });
  return { kind: 'outdated' };
}

/** Jobs that take of pools go one after the other, or they would collide at them; all others side by side. */
async function recordAll(
  ports: ReconcilerPorts,
  { jobs, leaving }: Observation,
  { now, tally }: { now: number; tally: Tally },
): Promise<Recorded[]> {
  const record = (observed: Observed) => recordFires(ports, observed, { now, tally });
  const takesOfPools = ({ job }: Observed) => needsOf(job) !== null;
  const oneByOne = async () => {
    const recorded: Recorded[] = [];
    for (const job of jobs.filter(takesOfPools)) recorded.push(await record(job));
    return recorded;
  };
  const [rivals, ...others] = await Promise.all([
    oneByOne(),
    ...jobs.filter((job) => !takesOfPools(job)).map(record),
    ...leaving.map((job) => cancelDue(ports, job, { now, tally })),
  ]);
  return [...rivals, ...others];
}

/**
 * What is half published when a turn dies is no manifest's: the next one, of whatever manifest, goes through its own. And
 * what is due from the first publication on is owed, though no turn may have ended yet.
 */
async function publishAnew(
  ports: ReconcilerPorts,
  manifest: Manifest,
  {
    state: { manifestId, ...state },
    succession,
    known,
    lease,
    now,
    compiled,
    tally,
  }: {
    state: ReconcilerState;
    succession: Succession;
    known: Watermark;
    lease: string;
    now: number;
    compiled: Compiled;
    tally: Tally;
  },
): Promise<Publication> {
  const isBegun = manifestId === undefined && state.succession?.current === succession.current;
  if (!isBegun && !(await ports.ledger.save(lease, { ...state, succession, watermark: known })))
    throw new Error(
      'The lease of a sweep ended before it published its manifest; the next one publishes it.',
    );
  return publish(ports, manifest, { now, settled: settledUpTo(known), compiled, tally });
}

function jobsInGap(
  results: readonly Pick<Recorded, 'jobId' | 'gap'>[],
  { unknown }: Pick<Observation, 'unknown'>,
): string[] {
  return [...new Set([...results.flatMap(({ jobId, gap }) => (gap > 0 ? [jobId] : [])), ...unknown])];
}

async function acquire(ports: ReconcilerPorts, lease: string) {
  const giveUpAt = ports.clock() + patienceMs;
  for (;;) {
    const now = ports.clock();
    const state = await ports.ledger.acquire(lease, now, now + leaseMs);
    if (state !== null || now >= giveUpAt) return state;
    await ports.sleep(250);
  }
}

function longestGrace(manifest: Manifest): number {
  return Math.max(0, ...manifest.jobs.map((job) => job.graceMs));
}

function backlogSpan(jobs: number): number {
  const minutes = Math.floor(firesPerTurn / Math.max(1, jobs));
  return Math.max(10, minutes) * minute;
}
