import { type Standing, standings, type Waiter } from '../domain/admission.ts';
import { admissible, hasPlace, type Known, startsSoon } from '../domain/catch-up.ts';
import type { CatchUp, JobState } from '../domain/job-state.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { runId } from '../domain/names.ts';
import { type Dropped, drop, droppedFromQueue, isQueued } from '../domain/queue.ts';
import { isDue } from '../domain/retry.ts';
import type { Run } from '../domain/run.ts';
import { admission, joinPools, standBack, waiterOf } from '../domain/waiting.ts';
import { cancelForNewer } from './cancel-running.ts';
import { guarded } from './guarded.ts';
import type { Observation } from './observe.ts';
import { invoke } from './offers.ts';
import type { ReconcilerPorts } from './ports.ts';
import type { Recorded } from './record-fires.ts';
import { readableRuns } from './records.ts';
import type { Tally } from './tally.ts';

export interface Turn {
  readonly now: number;
  readonly tally: Tally;
  /** No part of an outage is left unread. */
  readonly caughtUp: boolean;
  /** What the same turn recorded. */
  readonly results: readonly Recorded[];
}

/** A job's runs that wait or are to be tried again now, as they were read. */
interface Line {
  readonly job: ManifestJob;
  readonly state: JobState;
  readonly waiting: readonly Run[];
}

/** What became of looking at a line. */
interface Looked {
  /** Those that may start, pools permitting, in order. */
  readonly ready: readonly Candidate[];
  readonly startsSoon: boolean;
}

type Candidate = Waiter & { readonly run: Run; readonly line: Line };

/** The runs that wait: each job's line for its slot, then all of them together for the pools. */
export async function admitWaiting(
  ports: ReconcilerPorts,
  { open, byId }: Pick<Observation, 'open' | 'byId'>,
  turn: Turn,
): Promise<{ readonly startsSoon: boolean }> {
  const lines = await linesNow(ports, { open, byId }, turn);
  const looked = await Promise.all(lines.map((line) => lookAt(ports, line, turn)));
  await admitInOrder(
    ports,
    looked.flatMap(({ ready }) => ready),
    turn,
  );
  return { startsSoon: looked.some((one) => one.startsSoon) };
}

/**
 * The runs that wait, by their job as it is now. Under `latest` this very turn may have put another run in the place of the
 * one that the index showed, so these are read again; looking only at the next would never find it, where each minute's
 * fire is missed.
 */
async function linesNow(
  ports: ReconcilerPorts,
  { open, byId }: Pick<Observation, 'open' | 'byId'>,
  { results, now }: Turn,
): Promise<Line[]> {
  const isLatest = (jobId: string) => byId.get(jobId)?.missed.policy === 'latest';
  const missed = results
    .filter((result) => result.oldestWaiting !== undefined && isLatest(result.jobId))
    .map((result) => result.jobId);
  const states = await ports.ledger.jobs([...new Set([...open.map((run) => run.jobId), ...missed])]);
  const newest = [...states.values()].flatMap(({ jobId, catchUp }) =>
    catchUp.newest !== undefined && isLatest(jobId) ? [{ jobId, key: catchUp.newest }] : [],
  );
  const isStale = (run: Run) => missed.includes(run.jobId);
  const asRead = open.filter((run) => !isStale(run));
  const isRead = new Set(asRead.map(runId));
  const others = [...open.filter(isStale), ...newest.filter((ref) => !isRead.has(runId(ref)))];
  const runs = [...asRead, ...(await readableRuns(ports, others, 'a waiting run'))];
  const inLine = runs.filter((run) => run.state === 'waiting' || isDue(run, now));
  return [...states.values()].flatMap((state) => {
    const job = byId.get(state.jobId);
    const waiting = inLine.filter((run) => run.jobId === state.jobId);
    return job === undefined ? [] : [{ job, state, waiting }];
  });
}

/** Drops what is not going to run, and finds what may. */
async function lookAt(ports: ReconcilerPorts, line: Line, turn: Turn): Promise<Looked> {
  const { job, state, waiting: runs } = line;
  if (state.paused !== undefined) return standAllBack(ports, line, turn);
  const dropped = droppedFromQueue(job, runs, turn.now);
  for (const one of dropped) await guarded(ports, runId(one.run), dropWaiting(ports, one, turn));
  const left = runs.filter((run) => !dropped.some((one) => one.run === run));
  const replaced =
    job.overlap === 'cancel-running'
      ? await guarded(ports, job.id, cancelForNewer(ports, line, turn.now))
      : null;
  const ended = replaced?.ended ?? null;
  if (ended !== null) turn.tally.add('canceled');
  const waiting = left
    .filter((run) => run.key !== ended?.key)
    .map((run) => (run.key === replaced?.newer.key ? replaced.newer : run));
  const hasEnded = dropped.length > 0 || ended !== null;
  const looked = readyOf({ job, waiting, state: hasEnded ? await stateAgain(ports, state) : state }, turn);
  const isUnseen = dropped.length > 0 && state.queued > runs.filter(isQueued).length;
  return isUnseen ? onlyPlaced(job, looked) : looked;
}

/**
 * Newer ones that were not looked at may still push out what is left in the queue. Who has left it for the pools stays in
 * their line: else others would take what is kept for it.
 */
function onlyPlaced(job: ManifestJob, { ready }: Looked): Looked {
  return { ready: ready.filter(({ run }) => hasPlace(job, run)), startsSoon: true };
}

/** What this turn has just ended may have had the slot. */
async function stateAgain({ ledger }: ReconcilerPorts, before: JobState): Promise<JobState> {
  return (await ledger.job(before.jobId)) ?? before;
}

function readyOf(line: Line, turn: Turn): Looked {
  const { job, state, waiting } = line;
  const known = knownOf(line, turn);
  const ready = admissible(job, state, waiting, known).map((run) => ({
    ...waiterOf(run, job, turn.now),
    run,
    line,
  }));
  return { ready, startsSoon: startsSoon(job, state, waiting, known) };
}

function knownOf({ job, waiting }: Line, turn: Turn): Known {
  const mine = turn.results.filter((result) => result.jobId === job.id);
  const owed = mine.flatMap((result) => result.owed);
  // What this turn recorded is not among those that wait here: an older one's turn comes first.
  const isFirst = (run: Run) =>
    run.reason === 'catch-up' &&
    mine.every(({ oldestWaiting }) => run.fireTime <= (oldestWaiting ?? run.fireTime));
  const caughtUp = turn.caughtUp && (job.missed.policy !== 'all' || waiting.some(isFirst));
  return { now: turn.now, caughtUp, oldestOwed: owed.length === 0 ? null : Math.min(...owed) };
}

/** Runs of a paused job wait on, and are in nobody's way. */
async function standAllBack(ports: ReconcilerPorts, { waiting }: Line, { now }: Turn): Promise<Looked> {
  const { ledger, drawToken } = ports;
  for (const run of waiting.filter(({ state, reason }) => state === 'retrying' || reason === 'pool')) {
    const { fence, change, effect } = standBack(run, { token: drawToken(), now });
    await guarded(ports, runId(run), ledger.move(run, fence, change, { effect }));
  }
  return { ready: [], startsSoon: false };
}

async function dropWaiting(
  { ledger, drawToken, log }: ReconcilerPorts,
  dropped: Dropped,
  { now, tally }: Pick<Turn, 'now' | 'tally'>,
): Promise<void> {
  const { fence, change, effect } = drop(dropped, { token: drawToken(), now });
  const answer = await ledger.move(dropped.run, fence, change, { effect });
  if (answer.kind !== 'done') return;
  tally.add('skipped');
  log.warn(`skipped: ${dropped.reason}`, { run: runId(dropped.run) });
}

/**
 * All jobs' candidates in one order, so that pools go to whose turn it is: slot, holds and offer in one transaction, then
 * the invocation. Jobs without pools are nobody's rivals, and go on side by side.
 */
async function admitInOrder(
  ports: ReconcilerPorts,
  candidates: readonly Candidate[],
  turn: Turn,
): Promise<void> {
  const names = [...new Set(candidates.flatMap(({ needs }) => Object.keys(needs)))];
  const pools = names.length === 0 ? new Map() : await ports.ledger.pools(names);
  const groups = new Map<string, Standing<Candidate>[]>();
  for (const one of standings(pools, candidates, turn.now)) {
    const { needs, line } = one.waiter;
    const group = Object.keys(needs).length > 0 ? 'pools' : `job ${line.job.id}`;
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  await Promise.all([...groups.values()].map((group) => admitOneByOne(ports, group, turn)));
}

async function admitOneByOne(
  ports: ReconcilerPorts,
  group: readonly Standing<Candidate>[],
  turn: Turn,
): Promise<void> {
  /** By job, as its writes leave it. */
  const tallies = new Map<string, CatchUp>();
  /** Jobs of which one was not written, so that their tally isn't known. */
  const unknown = new Set<string>();
  for (const { waiter, admitted } of group) {
    const { run, line } = waiter;
    if (unknown.has(run.jobId)) continue;
    const catchUp = tallies.get(run.jobId) ?? line.state.catchUp;
    const moved = moveWaiter(ports, waiter, { admitted, catchUp, ...turn });
    const after = await guarded(ports, runId(run), moved);
    if (after === null) unknown.add(run.jobId);
    else tallies.set(run.jobId, after);
  }
}

/** The tally of its job after it, or null: it was not written. */
async function moveWaiter(
  ports: ReconcilerPorts,
  { run, line: { job } }: Candidate,
  { admitted, catchUp, now, tally }: Pick<Turn, 'now' | 'tally'> & { admitted: boolean; catchUp: CatchUp },
): Promise<CatchUp | null> {
  const token = ports.drawToken();
  const move = (admitted ? admission : joinPools)(run, job, { catchUp, token, now });
  if (move === null) return catchUp;
  const { fence, change, effect } = move;
  const answer = await ports.ledger.move(run, fence, change, { effect, requestToken: token });
  if (answer.kind !== 'done') return null;
  if (admitted) {
    tally.add('admitted');
    await invoke(ports, { ...run, token });
  } else ports.log.info('waits for its pools', { run: runId(run), needs: job.pools });
  return effect.set?.catchUp ?? catchUp;
}
