import type { JobState } from '../../domain/job-state.ts';
import type { Ledger, ZoneTable } from '../../domain/ledger.ts';
import type { PublishedManifest } from '../../domain/manifest.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import type { ReconcilerStanding } from '../../store/dynamodb/index.ts';
import type { OpenLedger } from '../open-ledger.ts';
import { everyOpenRef } from '../runs-around.ts';

/** What a ledger says of itself, read once; every check looks at the same. */
export interface LedgerFacts {
  readonly now: number;
  /** A system works on it: a deployed stage always should. */
  readonly isRunning: boolean;
  readonly manifest: PublishedManifest;
  readonly reconciler: ReconcilerStanding | null;
  readonly zones: ZoneTable | null;
  /** By job. */
  readonly states: ReadonlyMap<string, JobState>;
  /** Running and offered ones, the most pressing first. */
  readonly active: readonly Run[];
  readonly waiting: readonly Run[];
  readonly parked: readonly Run[];
  /** The runs that have their job's slot, as the jobs' states say. */
  readonly inSlot: ReadonlyMap<string, Run | null>;
  /** Ids of runs whose record can't be read. */
  readonly unreadable: readonly string[];
}

/** Of each kind of open runs, so many are looked at. */
const mostOpen = 1_000;

/** Null while the ledger knows no jobs. */
export async function readFacts(
  { ledger, reconciler }: OpenLedger,
  { now, isRunning }: Pick<LedgerFacts, 'now' | 'isRunning'>,
): Promise<LedgerFacts | null> {
  const manifest = await ledger.manifest();
  if (manifest === null) return null;
  const unreadable: string[] = [];
  const [standing, zones, states, refs] = await Promise.all([
    reconciler(),
    ledger.zones(),
    ledger.jobs(manifest.jobs.map(({ id }) => id)),
    everyOpenRef(ledger, mostOpen),
  ]);
  const open = await ledger.runs(refs, (ref) => void unreadable.push(runId(ref)));
  const inState = (...of: readonly Run['state'][]) => open.filter(({ state }) => of.includes(state));
  return {
    now,
    isRunning,
    manifest,
    reconciler: standing,
    zones,
    states,
    active: inState('running', 'offered').sort(byAttention),
    waiting: inState('waiting').sort(byAttention),
    parked: inState('parked'),
    inSlot: await slotOwners(ledger, states),
    unreadable,
  };
}

function byAttention(one: Run, other: Run): number {
  return (one.attentionAt ?? 0) - (other.attentionAt ?? 0);
}

/** A run may give its slot back between the two reads: what is told is confirmed by a second look at the job. */
async function slotOwners(
  ledger: Ledger,
  states: ReadonlyMap<string, JobState>,
): Promise<Map<string, Run | null>> {
  const refs = [...states.values()].flatMap(({ jobId, slot }) =>
    slot === undefined ? [] : [{ jobId, key: slot }],
  );
  const runs = await ledger.runs(refs, () => undefined);
  const again = await ledger.jobs(refs.map(({ jobId }) => jobId));
  const still = refs.filter(({ jobId, key }) => again.get(jobId)?.slot === key);
  return new Map(
    still.map(({ jobId, key }) => [
      jobId,
      runs.find((run) => run.jobId === jobId && run.key === key) ?? null,
    ]),
  );
}
