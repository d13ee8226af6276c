import { takeOver } from '../domain/attention.ts';
import { admissible, admission, type Known, startsSoon } from '../domain/catch-up.ts';
import type { JobState } from '../domain/job-state.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { runId } from '../domain/names.ts';
import { type Dropped, drop, droppedFromQueue, isQueued } from '../domain/queue.ts';
import type { Run } from '../domain/run.ts';
import type { Observation } from './observe.ts';
import { invoke } from './offers.ts';
import type { ReconcilerPorts } from './ports.ts';
import type { Recorded } from './record-fires.ts';
import { readableRuns, statesOf } from './records.ts';
import type { Tally } from './tally.ts';

interface Turn {
  readonly now: number;
  readonly tally: Tally;
  /** No part of an outage is left unread. */
  readonly caughtUp: boolean;
  /** What the same turn recorded. */
  readonly results: readonly Recorded[];
}

/**
 * Open runs that need attention, each on its own: one that can't be written is told and stops no other. `startsSoon`: a run
 * waits for another run's slot, or for the other fires of its outage.
 */
export async function attendAll(
  ports: ReconcilerPorts,
  { open, byId }: Pick<Observation, 'open' | 'byId'>,
  turn: Turn,
): Promise<{ readonly startsSoon: boolean }> {
  const isWaiting = (run: Run) => run.state === 'waiting' && byId.has(run.jobId);
  const { now, tally, results } = turn;
  const others = open.filter((run) => !isWaiting(run));
  const states = await statesOf(ports, others);
  await Promise.all(
    others.map((run) => {
      const of = { job: byId.get(run.jobId) ?? null, state: states.get(run.jobId) ?? null };
      return guarded(ports, runId(run), attend(ports, run, { ...of, now, tally }));
    }),
  );
  const waiting = await waitingNow(ports, { open: open.filter(isWaiting), byId, results });
  const soon = await Promise.all(
    [...waiting].map(([state, runs]) => {
      const job = byId.get(state.jobId);
      return job === undefined ? false : admitJob(ports, job, { state, runs, turn });
    }),
  );
  return { startsSoon: soon.includes(true) };
}

async function guarded(ports: ReconcilerPorts, what: string, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) =>
    ports.log.error('an open run could not be attended to', { what, error }),
  );
}

/**
 * The runs that wait, by their job as it is now. Under `latest` this very turn may have put another run in the place of the
 * one that the index showed; looking only at the next would never find it, where each minute's fire is missed.
 */
async function waitingNow(
  ports: ReconcilerPorts,
  { open, byId, results }: { open: readonly Run[]; byId: Observation['byId']; results: readonly Recorded[] },
): Promise<Map<JobState, Run[]>> {
  const isLatest = (jobId: string) => byId.get(jobId)?.missed.policy === 'latest';
  const missed = results
    .filter((result) => result.oldestWaiting !== undefined && isLatest(result.jobId))
    .map((result) => result.jobId);
  const states = await ports.ledger.jobs([...new Set([...open.map((run) => run.jobId), ...missed])]);
  const newest = [...states.values()].flatMap(({ jobId, catchUp }) =>
    catchUp.newest !== undefined && isLatest(jobId) ? [{ jobId, key: catchUp.newest }] : [],
  );
  const runs = await readableRuns(ports, [...open, ...newest], 'a waiting run');
  const byJob = new Map([...states.values()].map((state) => [state, [] as Run[]]));
  for (const [state, mine] of byJob)
    mine.push(...runs.filter((run) => run.jobId === state.jobId && run.state === 'waiting'));
  return byJob;
}

async function admitJob(
  ports: ReconcilerPorts,
  job: ManifestJob,
  { state, runs, turn }: { state: JobState; runs: readonly Run[]; turn: Turn },
): Promise<boolean> {
  const mine = turn.results.filter((result) => result.jobId === job.id);
  const owed = mine.flatMap((result) => result.owed);
  // What this turn recorded is not among those that wait here: an older one's turn comes first.
  const isFirst = (run: Run) =>
    run.reason === 'catch-up' &&
    mine.every(({ oldestWaiting }) => run.fireTime <= (oldestWaiting ?? run.fireTime));
  const caughtUp = turn.caughtUp && (job.missed.policy !== 'all' || runs.some(isFirst));
  const known = { now: turn.now, caughtUp, oldestOwed: owed.length === 0 ? null : Math.min(...owed) };
  const dropped = state.paused === undefined ? droppedFromQueue(job, runs, turn.now) : [];
  for (const one of dropped)
    await guarded(ports, runId(one.run), dropQueued(ports, one, { now: turn.now, tally: turn.tally }));
  // Newer ones that were not looked at may still push out what is left.
  if (dropped.length > 0 && state.queued > runs.filter(isQueued).length) return true;
  const waiting = runs.filter((run) => !dropped.some((one) => one.run === run));
  await guarded(ports, job.id, admit(ports, job, { state, waiting, known, tally: turn.tally }));
  return startsSoon(job, state, waiting, known);
}

async function dropQueued(
  { ledger, drawToken, log }: ReconcilerPorts,
  dropped: Dropped,
  { now, tally }: { now: number; tally: Tally },
): Promise<void> {
  const { fence, change, effect } = drop(dropped, { token: drawToken(), now });
  const answer = await ledger.move(dropped.run, fence, change, { effect });
  if (answer.kind !== 'done') return;
  tally.add('skipped');
  log.warn(`skipped: ${dropped.reason}`, { run: runId(dropped.run) });
}

/** Offers that expired and leases that ended. Each move is fenced, so a run that went on meanwhile is left alone. */
async function attend(
  ports: ReconcilerPorts,
  run: Run,
  { job, state, now, tally }: { job: ManifestJob | null; state: JobState | null; now: number; tally: Tally },
): Promise<void> {
  const token = ports.drawToken();
  const decided = takeOver(run, { job, state, now, token });
  if (decided === null) return;
  const answer = await ports.ledger.move(run, decided.fence, decided.change, {
    ...(decided.effect ? { effect: decided.effect } : {}),
    requestToken: token,
  });
  if (answer.kind !== 'done') return;
  ports.log.warn(`a run was taken over: ${decided.what}`, {
    jobId: run.jobId,
    run: run.key,
    state: decided.change.set.state,
    attempt: run.attempts.length,
  });
  if (decided.what === 'reoffered' || decided.what === 'crashed') tally.add(decided.what);
  const { state: became } = decided.change.set;
  if (became === 'failed' || became === 'parked') tally.add(became);
  if (decided.invoke) await invoke(ports, { ...run, token });
}

/** Waiting runs of a job whose turn has come: slot and offer in one transaction, then the invocation. */
async function admit(
  ports: ReconcilerPorts,
  job: ManifestJob,
  { state, waiting, known, tally }: { state: JobState; waiting: readonly Run[]; known: Known; tally: Tally },
): Promise<void> {
  const { now } = known;
  let catchUp = state.catchUp;
  for (const run of admissible(job, state, waiting, known)) {
    const token = ports.drawToken();
    const { fence, change, effect } = admission(run, job, { catchUp, token, now });
    const answer = await ports.ledger.move(run, fence, change, { effect, requestToken: token });
    if (answer.kind !== 'done') return;
    catchUp = effect.set?.catchUp ?? catchUp;
    tally.add('admitted');
    await invoke(ports, { ...run, token });
  }
}
