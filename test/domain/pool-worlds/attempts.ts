import { cancelRun } from '../../../functions/domain/cancel.ts';
import { missedRun, oneMoreWaits } from '../../../functions/domain/catch-up.ts';
import { decideFinish, finishedOrLost, thoughOthersWait } from '../../../functions/domain/finish.ts';
import { leavePools } from '../../../functions/domain/holds.ts';
import type { Effect, Move } from '../../../functions/domain/ledger.ts';
import { runId } from '../../../functions/domain/names.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { claimOf, decideStart, takenOrLost, takeOffer } from '../../../functions/domain/start.ts';
import { waitForPools } from '../../../functions/domain/waiting.ts';
import { invocationMs, sweepMs } from './bound.ts';
import { expectDone, type Ground, refOf } from './ground.ts';
import type { PlannedRun } from './plan.ts';

/** What alarms, invocations and a person do to runs. */
export class Attempts {
  readonly #ground: Ground;
  /** Tells the reconciler to look soon. */
  readonly #nudge: () => void;

  constructor(ground: Ground, nudge: () => void) {
    this.#ground = ground;
    this.#nudge = nudge;
  }

  /** An alarm delivers the fire. */
  async deliver(planned: PlannedRun): Promise<void> {
    const { ledger, ...ground } = this.#at(planned);
    const claim = claimOf(ground.job, planned.at, ground.entry);
    const decision = decideStart(await ledger.create(claim.run, claim.effect), claim);
    if (decision.kind === 'run') return this.#execute(claim.run);
    if (decision.kind !== 'wait') throw new Error(`${runId(claim.run)} came to "${decision.kind}".`);
    const { run, effect } = waitForPools(claim, ground.entry);
    expectDone(await ledger.create(run, effect));
    this.#nudge();
  }

  /** No alarm delivered it, and it is to be made up. */
  async miss(planned: PlannedRun): Promise<void> {
    const { ledger, job, entry } = this.#at(planned);
    const fire = { jobId: job.id, fireTime: planned.at, specId: job.specId };
    const run = missedRun(fire, { kind: 'wait' }, entry);
    const { catchUp } = await this.#ground.stateOf(job.id);
    expectDone(await ledger.create(run, { set: { catchUp: oneMoreWaits(catchUp, run, entry.now) } }));
    this.#nudge();
  }

  /** The run has been offered; its offer reaches its function, unless it is lost. */
  async invoke(ref: Run): Promise<void> {
    const { ledger, now } = this.#ground;
    const offer = await ledger.run(ref);
    const planned = this.#ground.plannedOf(ref);
    const isFirst = offer?.attempts.length === 0 && offer.reoffers === 0;
    if (offer === null || (planned.isOfferLost && isFirst)) return;
    this.#ground.at(now + invocationMs, async () => {
      const entry = this.#ground.entry(planned);
      const take = takeOffer({ token: offer.token, attempt: offer.attempts.length + 1 }, entry);
      const taken = takenOrLost(await ledger.move(ref, take.fence, take.change), entry.token);
      if (taken !== null && taken !== 'conflict') this.#execute(taken);
    });
  }

  async cancel(planned: PlannedRun): Promise<void> {
    const { ledger, now } = this.#ground;
    const run = await ledger.run(refOf(planned));
    if (run === null) return;
    const request = { at: now, by: 'ops', reason: 'operator' } as const;
    const by = { state: await this.#ground.stateOf(run.jobId), token: this.#ground.token() };
    const cancellation = cancelRun(run, request, by);
    if (cancellation.kind === 'refused') return;
    const { fence, change, effect = {} } = cancellation;
    expectDone(await ledger.move(run, fence, change, { effect }));
    this.#ground.tally.canceled += 1;
    if (cancellation.kind === 'canceled') await this.expectLeft(run, { fence, change, effect });
    this.#nudge();
  }

  /** What a run has left it can't leave again: neither by the same write, nor by one that knows its record. */
  async expectLeft(before: Run, { fence, change, effect }: Move): Promise<void> {
    const { ledger, tally } = this.#ground;
    const repeated = await ledger.move(before, fence, change, { effect });
    const record = repeated.kind === 'refused' ? repeated.run : null;
    if (!record) throw new Error(`${runId(before)} left twice.`);
    const pools = leavePools(before).filter(({ hold }) => hold !== undefined);
    if (pools.length === 0) return;
    const set = { state: record.state };
    const freed = await ledger.move(before, record, { set }, { effect: { pools } });
    const refused = freed.kind === 'refused' ? Object.keys(freed.pools ?? {}) : [];
    if (refused.length < pools.length) throw new Error(`${runId(before)} gave back twice.`);
    tally.heldBack += 1;
  }

  /** An attempt runs. One that is dead by its lease comes back all the same, later. */
  #execute(run: Run): void {
    const { durationMs, crashes } = this.#ground.plannedOf(run);
    const [first] = run.attempts;
    const isDead = crashes && first !== undefined && run.attempts.length === 1;
    const end = isDead ? first.leaseUntil + 2 * sweepMs : this.#ground.now + durationMs;
    this.#ground.at(end, () => this.#finish(run));
  }

  async #finish(mine: Run): Promise<void> {
    const { ledger, now } = this.#ground;
    const record = await ledger.run(mine);
    const outcome = outcomeOf(record);
    const { change, effect } = decideFinish(mine, { outcome, attempt: mine.attempts.length, now });
    const fence = { state: 'running', token: mine.token } as const;
    const write = async (how: Effect) =>
      finishedOrLost(await ledger.move(mine, fence, change, { effect: how }), mine);
    const first = await write(effect);
    const anyhow = thoughOthersWait(effect);
    const last = first === 'others-wait' ? await write(anyhow) : first;
    const isOwner = record?.token === mine.token;
    if (last !== (isOwner ? 'finished' : 'lost')) throw new Error(`${runId(mine)} finishes: ${last}.`);
    if (isOwner) await this.expectLeft(mine, { fence, change, effect: anyhow });
    if (first === 'others-wait' && !this.#ground.plannedOf(mine).isNudgeLost) this.#nudge();
  }

  #at(planned: PlannedRun) {
    const { ledger } = this.#ground;
    return { ledger, job: this.#ground.job(planned.jobId), entry: this.#ground.entry(planned) };
  }
}

function outcomeOf(record: Run | null) {
  const request = record?.cancelRequested;
  if (request === undefined) return { kind: 'succeeded' } as const;
  return { kind: 'canceled', request, error: { name: 'AbortError', message: 'It was canceled.' } } as const;
}
