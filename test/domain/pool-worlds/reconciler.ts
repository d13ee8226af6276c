import type { Pools, Waiter } from '../../../functions/domain/admission.ts';
import { takeOver } from '../../../functions/domain/attention.ts';
import { noCatchUp } from '../../../functions/domain/catch-up.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { second } from '../../../functions/domain/time.ts';
import { admission, joinPools, waiterOf } from '../../../functions/domain/waiting.ts';
import { Attempts } from './attempts.ts';
import { sweepMs } from './bound.ts';
import { expectDone, type Ground } from './ground.ts';
import type { PooledJob } from './plan.ts';

/** Who takes what: the real decision, or one that is broken. */
export type Admit = <W extends Waiter>(pools: Pools, waiters: readonly W[], now: number) => W[];

interface Waiting {
  readonly run: Run;
  readonly job: PooledJob;
}

/**
 * Sweeps, and looks when it is told to: judges the dead, decides once for all who wait, and writes that bit by bit while
 * others go on. One look at a time.
 */
export class Reconciler {
  readonly attempts: Attempts;
  readonly #ground: Ground;
  readonly #admit: Admit;
  #isLooking = false;
  /** Somebody has told it, and it has not begun to look since. */
  #isNudged = false;

  constructor(ground: Ground, admit: Admit) {
    this.#ground = ground;
    this.#admit = admit;
    this.attempts = new Attempts(ground, () => this.nudge());
  }

  async sweep(): Promise<void> {
    this.#ground.at(this.#ground.now + sweepMs, () => this.sweep());
    await this.#look();
  }

  nudge(): void {
    if (this.#isNudged) return;
    this.#isNudged = true;
    this.#ground.at(this.#ground.now + second, () => this.#look());
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#isNudged = false;
    for (const run of this.#open((run) => run.state !== 'waiting')) await this.#attend(run);
    const writes = await this.#decide();
    const { now, plan } = this.#ground;
    for (const [n, write] of writes.entries()) this.#ground.at(now + n * plan.writeMs, write);
    this.#ground.at(now + writes.length * plan.writeMs, async () => {
      this.#isLooking = false;
      if (this.#isNudged) await this.#look();
    });
  }

  #open(which: (run: Run) => boolean): Run[] {
    return [...this.#ground.open.values()].filter(which);
  }

  async #attend(run: Run): Promise<void> {
    const { ledger, now, tally } = this.#ground;
    if (run.attentionAt === undefined || run.attentionAt > now) return;
    const job = this.#ground.job(run.jobId);
    const state = await this.#ground.stateOf(run.jobId);
    const pools = await ledger.pools(Object.keys(run.holds ?? {}));
    const taken = takeOver(run, { job, state, pools, now, token: this.#ground.token() });
    if (taken === null) return;
    const { fence, change, effect = {}, invoke } = taken;
    expectDone(await ledger.move(run, fence, change, { effect }));
    tally.takenOver += 1;
    if (invoke) await this.attempts.invoke(run);
    else await this.attempts.expectLeft(run, { fence, change, effect });
  }

  async #decide(): Promise<(() => Promise<void>)[]> {
    const { ledger, now, bound } = this.#ground;
    const waiters = this.#open(({ state }) => state === 'waiting')
      .map((run) => ({ run, job: this.#ground.job(run.jobId) }))
      .map(({ run, job }) => ({ ...waiterOf(run, job, now), run, job }));
    const pools = await ledger.pools([...this.#ground.pools.keys()]);
    const admitted = this.#admit(pools, waiters, now);
    const others = waiters.filter((waiter) => !admitted.includes(waiter));
    for (const { run } of others) bound.check(run, now);
    return [
      ...admitted.map((one) => () => this.#admitRun(one)),
      ...others.filter(joins(now)).map((one) => () => this.#join(one)),
    ];
  }

  /** Refused where the run was canceled, or a pool was lowered, since the decision. */
  async #admitRun({ run, job }: Waiting): Promise<void> {
    const { fence, change, effect } = admission(run, job, await this.#by(run));
    const answer = await this.#ground.ledger.move(run, fence, change, { effect });
    if (answer.kind === 'done') await this.attempts.invoke(run);
  }

  async #join({ run, job }: Waiting): Promise<void> {
    const joining = joinPools(run, job, await this.#by(run));
    if (joining === null) return;
    await this.#ground.ledger.move(run, joining.fence, joining.change, { effect: joining.effect });
  }

  async #by({ jobId }: Run) {
    const { catchUp } = await this.#ground.stateOf(jobId);
    return { catchUp, token: this.#ground.token(), now: this.#ground.now };
  }
}

/** Whether it is to be counted at pools, or at other ones than it is. */
function joins(now: number): (waiting: Waiting) => boolean {
  return ({ run, job }) => joinPools(run, job, { catchUp: noCatchUp, token: run.token, now }) !== null;
}
