import { offerPayload } from '../contract.ts';
import type { DayRecord, DayRef } from '../domain/closed-days/index.ts';
import type { JobState } from '../domain/job-state.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { type RunRef, runId } from '../domain/names.ts';
import { eventAgeMs } from '../domain/offer.ts';
import type { PoolState } from '../domain/pools.ts';
import type { Invoker, Nudger } from '../domain/ports.ts';
import { isOpen, type Run } from '../domain/run.ts';
import type { StepRecord } from '../domain/steps.ts';
import { day, hour, minute, second } from '../domain/time.ts';
import type { Compiled } from '../reconciler/observe.ts';
import { type MemoryLedger, memoryLedger } from '../store/memory.ts';
import { AlarmClock } from './alarm-clock.ts';
import type { Alterations } from './alterations.ts';
import { Bodies, type JobCode } from './bodies.ts';
import { ControlQueue } from './control-queue.ts';
import { EventLoop } from './event-loop.ts';
import type { Faults } from './faults.ts';
import { jobCode } from './job-code.ts';
import { type Code, LambdaFunction, type LambdaWorld } from './lambda.ts';
import type { Observer } from './observe.ts';
import { OpenIndex } from './open-index.ts';
import { Operator } from './operator.ts';
import type { Random } from './random.ts';
import { reconcilerCode } from './reconciler-code.ts';
import { dayText, poolText, recordText, stateText } from './record-text.ts';
import type { Sandbox } from './sandbox.ts';
import { type Deploy, type Scenario, within } from './scenario.ts';
import { SimulatedLog } from './simulated-log.ts';
import { type CrashNames, disturbedLedger, greatestLagMs } from './store-client.ts';
import type { Trace } from './trace.ts';
import { Zombies } from './zombies.ts';

export interface WorldOptions {
  readonly scenario: Scenario;
  readonly random: Random;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly observer: Observer;
  readonly code: JobCode;
  readonly compiled: Compiled;
  readonly alter: Alterations;
  /** See `EventLoop`. */
  readonly settle?: () => Promise<void>;
}

/** After a deploy Lambda may serve the code of before for so long. */
const oldCodeMs = minute;
/** Once calm, it takes longer than the longest grace, lease and offer until all has come to rest. */
const shortestRestMs = 3 * hour;
const longestRestMs = 4 * day;

/** The whole system: the real runtime, reconciler and ledger, in a modelled AWS. */
export class World {
  readonly loop: EventLoop;
  readonly ledger: MemoryLedger;
  /** Invocations of job functions so far. */
  deliveries = 0;
  /** Fires that have got their record so far. */
  fires = 0;
  readonly bodies: Bodies;
  readonly #of: WorldOptions;
  readonly #index = new OpenIndex();
  readonly #open = new Set<string>();
  readonly #log: SimulatedLog;
  readonly #queue: ControlQueue;
  readonly #operator: Operator;
  readonly #functions = new Map<string, LambdaFunction>();
  readonly #reconciler: LambdaFunction;
  readonly #codes = new Map<ManifestJob, Code>();
  readonly #shared: Ledger;

  constructor(of: WorldOptions) {
    const { scenario, random, faults, trace, observer, settle } = of;
    this.#of = of;
    this.loop = new EventLoop(scenario.from, settle);
    this.ledger = memoryLedger({
      run: (before, after) => this.#wroteRun(before, after),
      job: (before, after) => this.#wroteJob(before, after),
      step: (ref, before, after) => this.#wroteStep(ref, before, after),
      item: (table, before, after) => observer.wroteItem?.(this.loop.now, table, before, after),
      pool: (before, after) => this.#wrotePool(before, after),
      day: (ref, after) => this.#wroteDay(ref, after),
    });
    this.#shared = of.alter.ledger?.(this.ledger, () => this.loop.now) ?? this.ledger;
    const standing = (ref: RunRef) => this.ledger.peek(ref);
    const zombies = new Zombies({ loop: this.loop, faults, trace, standing });
    this.bodies = new Bodies({ loop: this.loop, trace, observer, zombies });
    this.#log = new SimulatedLog(this.loop, trace);
    this.#reconciler = this.#reconcilerFunction();
    this.#queue = new ControlQueue({
      loop: this.loop,
      faults,
      random: random.fork('control queue'),
      consume: (event) => (this.#isReconcilerDown() ? null : this.#reconciler.invoke(event)),
    });
    this.#operator = new Operator({
      loop: this.loop,
      faults,
      random: random.fork('operator'),
      ledger: this.ledger,
      start: (run, effect) => this.#shared.create(run, effect),
      parked: scenario.parked,
      until: scenario.until,
      doneOnce: (run, step) => this.bodies.doneOnce(run, step),
      acted: (act) => observer.acted?.(this.loop.now, act),
    });
  }

  /** Lets everything happen, up to the end of what disturbs it. */
  async disturb(isOver: () => boolean): Promise<void> {
    const { scenario } = this.#of;
    this.#windAlarms();
    this.#operator.plan(scenario.acts);
    this.loop.at(scenario.from, () => this.#minute());
    await this.loop.run(scenario.until, isOver);
  }

  /** Nothing is disturbed any more: until no run is open but for those that wait for a person. */
  async rest(isOver: () => boolean): Promise<void> {
    const { scenario, faults } = this.#of;
    const graces = scenario.deploys.flatMap(({ manifest }) => manifest.jobs.map(({ graceMs }) => graceMs));
    const restMs = Math.max(shortestRestMs, Math.max(...graces) + hour);
    faults.calm();
    for (let at = scenario.until + restMs; at < scenario.until + longestRestMs; at += 30 * second) {
      await this.loop.run(at, isOver);
      if (isOver() || this.#open.size === 0) return;
    }
  }

  #windAlarms(): void {
    const { scenario, faults, random } = this.#of;
    const alarms = new AlarmClock({
      loop: this.loop,
      faults,
      random: random.fork('alarm clock'),
      isDown: () => within(this.loop.now, scenario.outages),
      deliver: (jobId, event) => this.#function(jobId).accept(event),
      giveUp: (body, attributes) => this.#queue.send(body, { attributes }),
    });
    for (const { alarmsAt, manifest } of scenario.deploys)
      this.loop.at(alarmsAt, () => alarms.deploy(manifest.jobs));
  }

  /** The reconciler's own alarm, and what else may happen in any minute. */
  #minute(): void {
    const { faults } = this.#of;
    this.loop.after(minute, () => this.#minute());
    if (faults.strikes('poison-message')) this.#queue.send('{"what":"is this"}');
    if (!this.#isReconcilerDown() && !faults.strikes('lost-sweep'))
      this.#reconciler.accept({ fireledger: 'sweep' });
  }

  #isReconcilerDown(): boolean {
    const { reconcilerOutages, outages } = this.#of.scenario;
    return within(this.loop.now, reconcilerOutages) || within(this.loop.now, outages);
  }

  #function(jobId: string): LambdaFunction {
    const known = this.#functions.get(jobId);
    if (known !== undefined) return known;
    const graceMs = Math.max(...this.#versionsOf(jobId).map((job) => job.graceMs));
    const made = new LambdaFunction(this.#lambda(jobId), {
      name: jobId,
      maxAgeMs: eventAgeMs(graceMs),
      code: () =>
        this.#deployed('functionsAt', ({ manifest }) =>
          this.#codeOf(manifest.jobs.find(({ id }) => id === jobId)),
        ),
    });
    this.#functions.set(jobId, made);
    return made;
  }

  #versionsOf(jobId: string): readonly ManifestJob[] {
    return this.#of.scenario.deploys.flatMap(({ manifest }) =>
      manifest.jobs.filter(({ id }) => id === jobId),
    );
  }

  #reconcilerFunction(): LambdaFunction {
    const { compiled, random, observer, alter, scenario } = this.#of;
    const world = {
      now: () => this.loop.now,
      random: random.fork('reconciler'),
      compiled,
      ledgerOf: (sandbox: Sandbox, crashes: () => CrashNames) => this.#ledgerOf(sandbox, crashes),
      nudgerOf: (sandbox: Sandbox) => this.#nudgerOf(sandbox),
      invokerOf: (sandbox: Sandbox) => this.#invokerOf(sandbox),
      log: this.#log,
      onSwept: (sweep: Parameters<NonNullable<Observer['swept']>>[1]) =>
        observer.swept?.(this.loop.now, sweep),
      alter,
    };
    const codes = new Map(scenario.deploys.map((deploy) => [deploy, reconcilerCode(deploy.manifest, world)]));
    return new LambdaFunction(this.#lambda('reconciler'), {
      name: 'reconciler',
      maxAgeMs: minute,
      code: () => this.#deployed('reconcilerAt', (deploy) => codes.get(deploy) ?? null),
    });
  }

  /** The code that is deployed at this moment, and the one before it while that may still be served. */
  #deployed(moment: 'functionsAt' | 'reconcilerAt', codeOf: (deploy: Deploy) => Code | null) {
    const { now } = this.loop;
    const reached = this.#of.scenario.deploys.filter((deploy) => deploy[moment] <= now);
    const last = reached.at(-1);
    const current = last === undefined ? null : codeOf(last);
    if (last === undefined || current === null) return null;
    const earlier = reached.at(-2);
    const before = earlier !== undefined && now < last[moment] + oldCodeMs ? codeOf(earlier) : null;
    return { current, before: before === current ? null : before };
  }

  #codeOf(job: ManifestJob | undefined): Code | null {
    if (job === undefined) return null;
    const known = this.#codes.get(job);
    if (known !== undefined) return known;
    const { random, code, compiled, alter, observer } = this.#of;
    // Each version draws tokens of its own: no two functions ever draw the same.
    const versions = [...this.#codes.keys()].filter(({ id }) => id === job.id).length;
    const made = jobCode(job, {
      bodies: this.bodies,
      code,
      random: random.fork(`function of ${job.id}${versions === 0 ? '' : `, version ${versions + 1}`}`),
      timetableOf: ({ specId, spec }) => compiled(specId, spec).timetable,
      ledgerOf: (sandbox, crashes) => this.#ledgerOf(sandbox, crashes),
      nudgerOf: (sandbox) => this.#nudgerOf(sandbox),
      log: this.#log,
      standing: (ref) => this.ledger.peek(ref),
      onInvoked: () => {
        this.deliveries += 1;
      },
      onHandled: (jobId, body, outcome) => {
        observer.handled?.(this.loop.now, jobId, outcome);
        if (body !== null && outcome !== 'lost') observer.finished?.(this.loop.now, body, outcome);
      },
      alter: alter.job,
    });
    this.#codes.set(job, made);
    return made;
  }

  #lambda(name: string): LambdaWorld {
    const { faults, trace, random, scenario } = this.#of;
    const own = random.fork(`Lambda of ${name}`);
    const { least, most } = scenario.skew;
    return {
      loop: this.loop,
      faults,
      trace,
      random: own,
      drawSkew: () => own.whole(least, most),
      onFailure: (record) => this.#queue.send(JSON.stringify(record)),
    };
  }

  #ledgerOf(sandbox: Sandbox, crashes: () => CrashNames): Ledger {
    const { faults, random, scenario } = this.#of;
    const { paceMs, storeOutages } = scenario;
    return disturbedLedger({
      ledger: this.#shared,
      ...{ sandbox, faults, crashes, paceMs },
      loop: this.loop,
      index: this.#index,
      pace: random.fork(`pace of ${sandbox.name}`),
      isDown: () => within(this.loop.now, storeOutages),
    });
  }

  #nudgerOf(sandbox: Sandbox): Nudger {
    const { faults } = this.#of;
    return {
      nudge: async (why, delaySeconds = 0) => {
        if (!sandbox.isAlive || faults.strikes('lost-nudge')) return;
        this.#queue.send(JSON.stringify({ fireledger: 'nudge', why }), { delayMs: delaySeconds * second });
      },
      // Nobody listens: what people are told changes nothing in the ledger.
      announce: async () => undefined,
    };
  }

  #invokerOf(sandbox: Sandbox): Invoker {
    const { faults } = this.#of;
    return {
      invoke: async (offered) => {
        if (!sandbox.isAlive) return;
        const isRefused = faults.strikes('refused-invoke');
        const target = this.#function(offered.jobId);
        if (!target.exists) throw new Error('there is no such function');
        if (!isRefused || faults.extent('refused-invoke').chance(0.5)) target.accept(offerPayload(offered));
        if (isRefused) throw new Error('Lambda did not answer');
      },
    };
  }

  #wroteRun(before: Run | null, after: Run | null): void {
    const { trace, observer } = this.#of;
    const { now } = this.loop;
    const run = after ?? before;
    if (run === null) return;
    const id = runId(run);
    trace.note({
      at: now,
      actor: 'ledger',
      what: after === null ? 'is expired' : recordText(after),
      run: id,
    });
    if (after !== null) this.#index.wrote(now, after, greatestLagMs);
    if (after?.state === 'succeeded') this.bodies.endWith(after);
    if (after !== null && isOpen(after.state) && after.state !== 'parked') this.#open.add(id);
    else this.#open.delete(id);
    if (before === null && run.trigger !== 'manual') this.fires += 1;
    observer.wroteRun?.(now, before, after, this.#operator.isActing);
    if (after?.state === 'parked' && before?.state !== 'parked') this.#operator.parked(after);
    if (after?.waitsFor !== undefined && before?.waitsFor === undefined) this.#operator.waits(after);
  }

  #wroteStep(ref: RunRef, before: StepRecord | null, after: StepRecord): void {
    const { trace, observer } = this.#of;
    const { now } = this.loop;
    const { name, kind, state } = after;
    const what = `${kind} ${JSON.stringify(name)} is ${state}`;
    trace.note({ at: now, actor: 'ledger', what, run: runId(ref) });
    observer.wroteStep?.(now, ref, before, after, this.#operator.isActing);
  }

  #wroteJob(before: JobState | null, after: JobState): void {
    const { trace, observer } = this.#of;
    const { now } = this.loop;
    trace.note({ at: now, actor: 'ledger', what: stateText(after) });
    const { isActing } = this.#operator;
    observer.wroteJob?.(now, before, after, isActing);
    if (after.paused && !before?.paused && !isActing) this.#operator.pausedByItself(after.jobId);
  }

  #wroteDay(ref: DayRef, after: DayRecord): void {
    const { trace, observer } = this.#of;
    const { now } = this.loop;
    trace.note({ at: now, actor: 'ledger', what: dayText(ref, after) });
    observer.wroteDay?.(now, ref, after);
  }

  #wrotePool(before: PoolState | null, after: PoolState): void {
    const { trace, observer } = this.#of;
    const { now } = this.loop;
    trace.note({ at: now, actor: 'ledger', what: poolText(after) });
    observer.wrotePool?.(now, before, after);
  }
}
