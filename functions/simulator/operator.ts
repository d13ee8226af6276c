import { fireKey, type RunRef } from '../domain/names.ts';
import { releaseRun } from '../domain/release.ts';
import { newRun, type Run, turnOf } from '../domain/run.ts';
import { floorToMinute, hour, minute } from '../domain/time.ts';
import type { MemoryLedger } from '../store/memory.ts';
import type { EventLoop } from './event-loop.ts';
import type { Faults } from './faults.ts';
import type { OperatorAct } from './observe.ts';
import type { Random } from './random.ts';
import type { PlannedAct, Scenario } from './scenario.ts';

export interface OperatorWorld {
  readonly loop: EventLoop;
  readonly faults: Faults;
  readonly random: Random;
  readonly ledger: MemoryLedger;
  readonly acted: (act: OperatorAct) => void;
  /** What is decided about every parked run. */
  readonly parked: Scenario['parked'];
}

/** A person with `fl`: pauses and resumes jobs, starts them by hand, decides about what is parked. */
export class Operator {
  readonly #world: OperatorWorld;
  #isActing = false;
  #nonce = 0;

  constructor(world: OperatorWorld) {
    this.#world = world;
  }

  /** A write that happens now is this person's. */
  get isActing(): boolean {
    return this.#isActing;
  }

  plan(acts: readonly PlannedAct[]): void {
    const { loop } = this.#world;
    for (const act of acts) {
      if (act.kind === 'trigger') loop.at(act.at, () => this.#trigger(act.jobId));
      else {
        loop.at(act.at, () => this.#pause(act.jobId, true));
        loop.at(act.until, () => this.#pause(act.jobId, false));
      }
    }
  }

  /** A run was parked: some day somebody looks at it. */
  parked(run: Run): void {
    const { loop, random } = this.#world;
    const as = this.#decide();
    if (as === null) return;
    loop.after(random.whole(minute, 5 * hour), () => void this.#release(run, as));
  }

  #decide(): 'rerun' | 'fail' | null {
    const { faults, random, parked } = this.#world;
    if (parked !== undefined) return parked;
    if (!faults.strikes('released-run')) return null;
    return random.chance(0.7) ? 'rerun' : 'fail';
  }

  #pause(jobId: string, isPaused: boolean): void {
    const { loop, ledger } = this.#world;
    const pause = isPaused ? { at: loop.now, by: 'operator', note: 'simulated' } : null;
    this.#act({ kind: isPaused ? 'paused' : 'resumed', jobId }, () => ledger.setPause(jobId, pause));
  }

  async #release(ref: RunRef, as: 'rerun' | 'fail'): Promise<void> {
    const { loop, ledger, random } = this.#world;
    const run = await ledger.run(ref);
    if (run?.state !== 'parked') return;
    const released = releaseRun(run, as, { by: 'operator', token: random.token(), now: loop.now });
    if (released.kind === 'refused') return;
    const { fence, change, effect } = released;
    this.#act({ kind: 'released', run: ref, as }, () =>
      ledger.move(run, fence, change, effect === undefined ? {} : { effect }),
    );
  }

  /** Started by hand: it waits for its job's slot, as any run does. */
  async #trigger(jobId: string): Promise<void> {
    const { loop, ledger, random } = this.#world;
    const job = await ledger.job(jobId);
    if (job?.specId === undefined) return;
    this.#nonce += 1;
    const fireTime = floorToMinute(loop.now);
    const run = newRun({
      jobId,
      key: `${fireKey(fireTime)}~manual-${this.#nonce}`,
      fireTime,
      trigger: 'manual',
      state: 'waiting',
      reason: 'slot',
      specId: job.specId,
      token: random.token(),
      createdAt: loop.now,
      attentionAt: turnOf(fireTime, 'slot'),
    });
    this.#act({ kind: 'triggered', run }, () => ledger.create(run, { addQueued: 1 }));
  }

  /** The memory ledger writes before it answers, so what is written meanwhile is this person's. */
  #act(act: OperatorAct, write: () => Promise<unknown>): void {
    this.#isActing = true;
    void write();
    this.#isActing = false;
    this.#world.acted(act);
  }
}
