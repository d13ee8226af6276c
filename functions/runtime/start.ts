import type { AlarmPayload, OfferPayload } from '../contract.ts';
import type { StrayCause } from '../domain/delivery.ts';
import { judgeDelivery } from '../domain/delivery.ts';
import type { RunRef } from '../domain/names.ts';
import { runId } from '../domain/names.ts';
import type { PoolState } from '../domain/pools.ts';
import { queuedRun } from '../domain/queue.ts';
import type { Run } from '../domain/run.ts';
import type { Claim, Entry, SkipReason, StartDecision } from '../domain/start.ts';
import { decideStart, isDead, openingOf, skippedRun, takenOrLost, takeOffer } from '../domain/start.ts';
import { second } from '../domain/time.ts';
import { waitForPools } from '../domain/waiting.ts';
import { persevere } from './persevere.ts';
import type { LoadedJob, Ports } from './ports.ts';

/** A start that the store rejects is tried again for so long; then nothing runs, and the reconciler finds the fire. */
const patienceMs = 2 * second;

/** What an invocation came to before job code ran. */
export type Start =
  | { readonly kind: 'started'; readonly run: Run }
  | {
      readonly kind: 'duplicate' | 'skipped' | 'waiting' | 'stray' | 'offer-gone' | 'conflict';
      readonly run?: string;
    };

/** An alarm's delivery: claims its fire, or says why not. Fails closed: without the store's answer nothing runs. */
export async function startDelivery(payload: AlarmPayload, starting: Starting): Promise<Start> {
  const { entry, job, ports } = starting;
  const judgement = judgeDelivery(payload.scheduledTime, {
    timetable: job.timetable,
    graceMs: job.entry.graceMs,
    now: entry.now,
  });
  if (judgement.kind === 'stray') return stray(judgement.cause, payload, { job, ports });
  return claimFire(payload, judgement.fireTime, starting);
}

interface Starting {
  readonly entry: Entry;
  readonly job: LoadedJob;
  readonly ports: Ports;
}

/** `again`: the fire was to wait, and its job was not as it had been. */
async function claimFire(
  payload: AlarmPayload,
  fireTime: number,
  { entry, job, ports }: Starting,
  again = false,
): Promise<Start> {
  const claim = openingOf(job.entry, fireTime, entry);
  const { run, effect } = claim;
  const answer = await insist('claiming the fire', () => ports.ledger.create(run, effect), entry, ports);
  const decision = decideStart(answer, claim);
  switch (decision.kind) {
    case 'run':
      return { kind: 'started', run };
    case 'excluded':
      return skipped(run, 'excluded', ports);
    case 'duplicate':
      return duplicate(decision.of, ports);
    case 'skip':
      if (await isSlotOfDead(decision, { entry, job, ports }))
        return stray('dead-slot', payload, { job, ports, fireTime });
      return skip(decision.reason, run, { entry, job, ports });
    case 'queue':
    case 'wait':
      return (
        (await wait(claim, decision, { entry, job, ports })) ??
        (again ? crowdedOut(run, ports) : claimFire(payload, fireTime, { entry, job, ports }, true))
      );
    case 'other-spec':
    case 'pause-over':
      return stray(decision.kind, payload, { job, ports, fireTime });
    case 'conflict':
      return crowdedOut(run, ports);
  }
}

/** An offer's invocation: puts the entry's own token in the place of the offer's. */
export async function startOffer(
  payload: OfferPayload,
  { entry, ports }: { entry: Entry; ports: Ports },
): Promise<Start> {
  const ref = { jobId: payload.jobId, key: payload.run };
  const { fence, change } = takeOffer(payload, entry);
  const answer = await insist('taking the offer', () => ports.ledger.move(ref, fence, change), entry, ports);
  const taken = takenOrLost(answer, entry.token);
  if (taken === 'conflict') return giveUp(ref, ports);
  if (taken !== null) return { kind: 'started', run: taken };
  ports.log.info('the offer is gone: another invocation took it, or it was made anew', { run: runId(ref) });
  return { kind: 'offer-gone', run: runId(ref) };
}

/** The writes recognise themselves by the entry's token, so a lost answer may be asked for again. */
function insist<T>(what: string, write: () => Promise<T>, { now }: Entry, ports: Ports): Promise<T> {
  return persevere(what, write, { until: now + patienceMs, ports });
}

/** One read in a rare case. */
async function isSlotOfDead(
  decision: StartDecision & { kind: 'skip' },
  { entry, job, ports }: Starting,
): Promise<boolean> {
  if (decision.reason !== 'overlap') return false;
  const ref = { jobId: job.entry.id, key: decision.owner };
  const owner = await insist('reading the run that has the slot', () => ports.ledger.run(ref), entry, ports);
  return isDead(owner, entry.now);
}

async function skip(
  reason: 'paused' | 'overlap',
  { fireTime }: Run,
  { entry, job, ports }: Starting,
): Promise<Start> {
  const run = skippedRun(job.entry, fireTime, { reason, token: entry.token, now: entry.now });
  const answer = await insist('recording the skip', () => ports.ledger.create(run), entry, ports);
  if (answer.kind === 'conflict') return crowdedOut(run, ports);
  if (answer.kind === 'refused') {
    const standing = answer.run ?? run;
    if (standing.token !== entry.token) return duplicate(standing, ports);
    // The claim had landed, and what stood in its way was its own slot.
    if (standing.state === 'running') return { kind: 'started', run: standing };
  }
  return skipped(run, reason, ports);
}

/**
 * The fire waits for its job's slot or, with that, for its pools. Null: its job was not as it had been. Whoever gave
 * something back may have looked before this was written, so the reconciler is told.
 */
async function wait(
  claim: Claim,
  decision: StartDecision & { kind: 'queue' | 'wait' },
  { entry, ports }: Starting,
): Promise<Start | null> {
  const { jobId, fireTime, specId } = claim.run;
  const forPools = decision.kind === 'wait';
  const { run, effect } = forPools
    ? waitForPools(claim, entry)
    : queuedRun({ jobId, fireTime, specId }, claim.effect, entry);
  const answer = await insist('recording the wait', () => ports.ledger.create(run, effect), entry, ports);
  if (answer.kind === 'conflict') return crowdedOut(run, ports);
  if (answer.kind === 'refused') {
    if (!answer.run) return null;
    if (answer.run.token !== entry.token) return duplicate(answer.run, ports);
    // The claim had landed, and what stood in its way was its own.
    if (answer.run.state === 'running') return { kind: 'started', run: answer.run };
  }
  const why = forPools ? 'waits for its pools' : 'waits for its slot';
  const pools = forPools && { needs: run.waitsFor, pools: decision.pools.map(poolFields) };
  ports.log.info(why, { run: runId(run), ...pools });
  await ports.nudger.nudge(`a fire of ${jobId} ${why}`);
  return { kind: 'waiting', run: runId(run) };
}

/** Who is in the way, and how much is left. */
function poolFields({ name, capacity, free, waiting, holds }: PoolState) {
  return { name, capacity, free, waiting, holders: Object.keys(holds).slice(0, mostShown) };
}

const mostShown = 10;

function skipped(run: Run, reason: SkipReason, ports: Ports): Start {
  ports.metrics.count('skipped');
  if (reason === 'excluded') ports.log.info('skipped: excluded', { run: runId(run) });
  else ports.log.warn(`skipped: ${reason}`, { run: runId(run) });
  return { kind: 'skipped', run: runId(run) };
}

/** Normal traffic: alarms deliver at least once. */
async function duplicate(of: RunRef & Pick<Run, 'state'>, ports: Ports): Promise<Start> {
  await ports.ledger.countDuplicate(of);
  ports.metrics.count('duplicates');
  ports.log.info('a duplicate: the fire has its run', { run: runId(of), state: of.state });
  return { kind: 'duplicate', run: runId(of) };
}

/**
 * A delivery that starts nothing and leaves no record: the reconciler looks whether a fire is missing. `fireTime`: it is a
 * fire, which the reconciler offers as soon as it can.
 */
async function stray(
  cause: StrayCause,
  { scheduledTime }: AlarmPayload,
  { job: { entry }, ports, fireTime }: { job: LoadedJob; ports: Ports; fireTime?: number },
): Promise<Start> {
  await ports.ledger.countStray(entry.id, fireTime);
  ports.metrics.count('strays');
  ports.log.warn(`a stray delivery: ${cause}`, { scheduledTime: scheduledTime.slice(0, longestTime) });
  await ports.nudger.nudge(`stray delivery of ${entry.id}: ${cause}`);
  return { kind: 'stray' };
}

/** Room for any instant or placeholder; a payload is not to be trusted with the size of a log line. */
const longestTime = 64;

/** Many want the same pool at midnight: whose claim keeps colliding leaves it to the reconciler, which asks one after the other. */
async function crowdedOut(run: Run, ports: Ports): Promise<Start> {
  await ports.ledger.countStray(run.jobId, run.fireTime);
  ports.metrics.count('strays');
  return giveUp(run, ports);
}

/** Nothing was written, so nothing is left behind: the reconciler offers the fire, or makes the untaken offer anew. */
async function giveUp(ref: RunRef, ports: Ports): Promise<Start> {
  ports.log.warn('gave up: the start kept colliding with other writes', { run: runId(ref) });
  await ports.nudger.nudge(`a start of ${ref.jobId} gave up`);
  return { kind: 'conflict', run: runId(ref) };
}
