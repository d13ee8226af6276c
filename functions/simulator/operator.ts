import { cancelRun } from '../domain/cancel.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { RunRef } from '../domain/names.ts';
import { releaseRun, uncertainStep, type Verdict } from '../domain/release.ts';
import { neverNeedsAttention, type Run } from '../domain/run.ts';
import { toldOf } from '../domain/steps.ts';
import { day, hour, minute, second } from '../domain/time.ts';
import { manualRun } from '../domain/trigger.ts';
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
  /** Writes a run that is started by hand, as all processes write. */
  readonly start: Ledger['create'];
  readonly acted: (act: OperatorAct) => void;
  /** Whether the work of a `once` was truly done, and what it returned. */
  readonly doneOnce: (run: RunRef, step: string) => { readonly result: unknown } | null;
  /** Until then people do things. */
  readonly until: number;
  /** What is decided about every parked run. */
  readonly parked: Scenario['parked'];
}

/** How often somebody who wants a run of a job canceled looks whether there is one, and for how long. */
const lookEveryMs = 20 * second;
const patienceMs = 2 * hour;
/** The work of how long ago is started by hand. */
const longestAgoMs = 3 * day;
const mostOpen = 10_000;

/** How likely it is that somebody does something about a run that waits for pools. */
const pausedForWaiting = 0.01;

/** A person with `fl`: pauses and resumes jobs, starts them by hand, cancels runs, decides about what is parked. */
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
      else if (act.kind === 'cancel') loop.at(act.at, () => this.#cancelNext(act.jobId, act.at + patienceMs));
      else {
        loop.at(act.at, () => void this.#pause(act.jobId, true));
        loop.at(act.until, () => void this.#pause(act.jobId, false));
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

  /** A run has come to wait for pools: now and then somebody pauses its job for that. */
  waits({ jobId }: Run): void {
    const { loop, random, faults, until } = this.#world;
    if (!random.chance(pausedForWaiting) || !faults.strikes('paused-job')) return;
    const from = loop.now + random.whole(0, minute);
    if (from >= until) return;
    loop.at(from, () => void this.#pause(jobId, true));
    loop.at(Math.min(from + random.whole(minute, 5 * hour), until), () => void this.#pause(jobId, false));
  }

  /** A job was paused, and no person did it: some day somebody resumes it. */
  pausedByItself(jobId: string): void {
    const { loop, random } = this.#world;
    loop.after(random.whole(minute, 12 * hour), () => void this.#pause(jobId, false));
  }

  #decide(): Verdict | null {
    const { faults, random, parked } = this.#world;
    if (parked !== undefined) return parked;
    if (!faults.strikes('released-run')) return null;
    return random.pick(['rerun', 'resume', 'resume', 'fail'] as const);
  }

  async #pause(jobId: string, isPaused: boolean): Promise<void> {
    const { loop, ledger } = this.#world;
    // Nobody resumes what another one has resumed.
    if (!isPaused && (await ledger.job(jobId))?.paused === undefined) return;
    const pause = isPaused ? { at: loop.now, by: 'operator', note: 'simulated' } : null;
    this.#act({ kind: isPaused ? 'paused' : 'resumed', jobId }, () => ledger.setPause(jobId, pause));
  }

  async #release(ref: RunRef, as: Verdict): Promise<void> {
    const { loop, ledger, random } = this.#world;
    const [run, steps] = [await ledger.run(ref), await ledger.steps(ref)];
    if (run?.state !== 'parked') return;
    const { now } = loop;
    const step = as === 'fail' ? null : uncertainStep(run, steps, now);
    const said = step && this.#found(run, step.name);
    const wasDone = said?.done;
    const released = releaseRun(run, as, { by: 'operator', token: random.token(), now, wasDone });
    if (released.kind === 'refused') return;
    const { fence, ...last } = released;
    const told = step && said && { name: step.name, ...said };
    this.#act({ kind: 'released', run: ref, as, ...(told && { step: told }) }, () => {
      if (step === null || said === null)
        return ledger.move(run, fence, last.change, { effect: last.effect });
      const replaces = steps.includes(step) ? step : null;
      return ledger.writeStep(run, fence, { step: toldOf(step, said, now), replaces, last });
    });
  }

  /** People look before they say whether a step was done. */
  #found(run: RunRef, step: string): { done: true; result: unknown } | { done: false } {
    const done = this.#world.doneOnce(run, step);
    return done === null ? { done: false } : { done: true, result: done.result };
  }

  /** An open run of the job, once there is one. */
  async #cancelNext(jobId: string, until: number): Promise<void> {
    const { loop, ledger, random } = this.#world;
    const open = await ledger.open(neverNeedsAttention, mostOpen);
    const ofJob = open.filter((ref) => ref.jobId === jobId);
    const run = ofJob.length === 0 ? null : await ledger.run(random.pick(ofJob));
    const state = await ledger.job(jobId);
    const request = { at: loop.now, by: 'operator', reason: 'operator' } as const;
    const canceled = run && cancelRun(run, request, { state, token: random.token() });
    if (run === null || canceled === null || canceled.kind === 'refused') {
      if (loop.now < until) loop.after(lookEveryMs, () => void this.#cancelNext(jobId, until));
      return;
    }
    const { fence, change, effect } = canceled;
    this.#act({ kind: 'canceled', run }, () =>
      ledger.move(run, fence, change, effect === undefined ? {} : { effect }),
    );
  }

  /** Started by hand: it waits for its job's slot, as any run does. */
  async #trigger(jobId: string): Promise<void> {
    const { loop, ledger, random, start } = this.#world;
    const job = await ledger.job(jobId);
    if (job?.specId === undefined) return;
    this.#nonce += 1;
    // Now and then for a day that may be closed by then.
    const ageMs = random.chance(0.5) ? 0 : random.whole(0, longestAgoMs);
    const { run, effect } = manualRun(
      { jobId, specId: job.specId },
      {
        fireTime: loop.now - ageMs,
        requested: { at: loop.now, by: 'operator' },
        nonce: String(this.#nonce),
        token: random.token(),
      },
    );
    this.#act({ kind: 'triggered', run }, () => start(run, effect));
  }

  /** The memory ledger writes before it answers, so what is written meanwhile is this person's. */
  #act(act: OperatorAct, write: () => Promise<unknown>): void {
    this.#isActing = true;
    void write();
    this.#isActing = false;
    this.#world.acted(act);
  }
}
