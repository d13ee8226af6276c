import { killMarginMs, schedulerContext } from '../contract.ts';
import type { Metered } from '../domain/bill.ts';
import { judgeDelivery } from '../domain/delivery.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import type { Run, RunError, Trigger } from '../domain/run.ts';
import { parseDuration } from '../domain/schedule/index.ts';
import type { StepRecord } from '../domain/steps.ts';
import { hour, second, toIso } from '../domain/time.ts';
import type { Duration, Job } from '../job.ts';
import { loadJob } from '../runtime/load.ts';
import type { LoadedJob } from '../runtime/ports.ts';
import { type Handled, handleEvent } from '../runtime/runtime.ts';
import { type MemoryLedger, memoryLedger } from '../store/memory.ts';
import type { MemoryItem } from '../store/memory-tables.ts';
import { fakeFetch } from './fake-fetch.ts';
import { entryOf, instantOf, manifestOf } from './given.ts';
import { givenSecrets } from './given-secrets.ts';
import { deploy, type LeftBehind, offer, succeedBefore, supersede } from './past.ts';
import { type LogLine, recordedPorts } from './recorded-ports.ts';
import { within } from './surroundings.ts';
import { VirtualTime } from './virtual-time.ts';

/** Instants are ISO with a zone, such as `2026-12-01T03:00:00+08:00`. */
export interface FireOptions {
  /** When it was due. */
  readonly fireTime: string;
  /** When it is delivered. @default a second after the fire time, or an hour when it is made up */
  readonly now?: string;
  /** What started it. @default 'manual' with an input, 'backfill' with `covers`, else 'schedule' */
  readonly trigger?: Trigger;
  /** An earlier success, as `ctx.previous()` will find it. @default none */
  readonly previous?: { readonly fireTime: string; readonly result?: unknown };
  /** Of a manual run. */
  readonly input?: unknown;
  /** Under `missed: 'latest'`: the older missed fires that it stands for. */
  readonly covers?: readonly string[];
  /** Environment variables of the job, on top of its own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The values of the job's secrets, by their names in its code: `{ API_KEY: 'of the test' }`. @default none */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What the job's `fetch` is. @default one that answers nothing */
  readonly fetch?: typeof globalThis.fetch;
  /** How often its alarm or offer is delivered, one after the other. @default 1 */
  readonly deliveries?: number;
  /** How much time goes by while the job waits: its timeout aborts it, 15 seconds more end its process. @default no time at all */
  readonly elapses?: Duration;
  /** It is the second attempt of a run whose first one died half-way, and left this behind. @default it is the first */
  readonly resumes?: LeftBehind;
  /**
   * The tables that its commits write to, by name: the attributes of their key, and the items that are in them. They know simple
   * writes and conditions. @default empty ones, with the key pk and sk, or id
   */
  readonly tables?: Readonly<
    Record<string, { readonly key?: readonly string[]; readonly items?: readonly MemoryItem[] }>
  >;
  /** The job's id, which it has from its file when deployed. @default 'test/job', or its own `id` */
  readonly jobId?: string;
}

/** What became of the fire. */
export interface Fired {
  /** The ledger's record of it. */
  readonly run: Run;
  /** What the job returned, as the record keeps it. */
  readonly result: unknown;
  /** Why it failed. */
  readonly error: RunError | undefined;
  readonly logs: readonly LogLine[];
  /** What it declared by `ctx.meter`: by name, then by unit. The rest of its bill is `run.attempts[0]?.bill`. */
  readonly metered: Metered;
  /** What is on record of its steps. */
  readonly steps: readonly StepRecord[];
  /** What is in the tables that its commits write to. */
  readonly tables: Readonly<Record<string, readonly MemoryItem[]>>;
  /** What each delivery came to: one is the run's, the others are duplicates. */
  readonly outcomes: readonly Handled['outcome'][];
}

/**
 * Fires a job once, as deployed: the real runtime on a ledger in memory, in virtual time, without a network.
 *
 * @throws for a job that would not deploy, and for a fire that its alarm would not start, saying why
 */
export async function testFire<Input>(job: Job<Input>, options: FireOptions): Promise<Fired> {
  const plan = planOf(options);
  const entry = entryOf(job, options.jobId ?? 'test/job', plan.now);
  const loaded = loadJob(entry, job);
  const ledger = ledgerWith(options.tables ?? {});
  const event = await prepare(ledger, loaded, plan);
  const time = new VirtualTime(plan.now);
  const secrets = givenSecrets(entry, options.secrets, time.clock);
  const { ports, recording } = recordedPorts(ledger, time, secrets);
  const surroundings = {
    environment: { ...entry.environment, ...options.environment },
    fetch: options.fetch ?? fakeFetch(),
  };
  const invocation = { requestId: 'test', remainingMs: () => entry.timeoutMs + killMarginMs };
  const outcomes: Handled['outcome'][] = [];
  await within(surroundings, async () => {
    for (let delivery = 0; delivery < (options.deliveries ?? 1); delivery += 1) {
      const handled = handleEvent(event, invocation, loaded, ports);
      if (delivery === 0 && options.elapses) await time.pass(parseDuration(options.elapses, 'elapses'));
      outcomes.push((await handled).outcome);
    }
  });
  const run = await recordOf(ledger, entry, plan.fireTime);
  const { result, error, attempts } = run;
  return {
    run,
    result,
    error,
    logs: recording.logs,
    metered: attempts.at(-1)?.bill?.metered ?? {},
    steps: await ledger.steps(run),
    tables: ledger.tables.items,
    outcomes,
  };
}

function ledgerWith(tables: NonNullable<FireOptions['tables']>): MemoryLedger {
  const keys = Object.entries(tables).flatMap(([name, { key }]) => (key === undefined ? [] : [[name, key]]));
  const ledger = memoryLedger({}, Object.fromEntries(keys));
  for (const [name, { items = [] }] of Object.entries(tables))
    for (const item of items) ledger.tables.put(name, item);
  return ledger;
}

interface Plan {
  readonly fireTime: number;
  readonly now: number;
  readonly trigger: Trigger;
  readonly previous: { readonly fireTime: number; readonly result: unknown } | null;
  readonly input: unknown;
  readonly covers: readonly number[];
  readonly resumes: LeftBehind | undefined;
}

function planOf({ fireTime: due, now, previous, input, covers = [], ...options }: FireOptions): Plan {
  const fireTime = instantOf(due, 'fireTime');
  const trigger =
    options.trigger ?? (input !== undefined ? 'manual' : covers.length > 0 ? 'backfill' : 'schedule');
  const usual = fireTime + (trigger === 'backfill' ? hour : second);
  return {
    fireTime,
    now: now === undefined ? usual : instantOf(now, 'now'),
    trigger,
    previous:
      previous === undefined
        ? null
        : { fireTime: instantOf(previous.fireTime, 'previous.fireTime'), result: previous.result },
    input,
    covers: covers.map((cover) => instantOf(cover, 'covers')),
    resumes: options.resumes,
  };
}

async function prepare(ledger: Ledger, job: LoadedJob, plan: Plan): Promise<unknown> {
  const { entry } = job;
  const { fireTime, trigger, previous, covers, resumes } = plan;
  await deploy(ledger, manifestOf(entry), 0);
  if (previous !== null) await succeedBefore(ledger, entry, previous);
  await supersede(ledger, entry, { fireTimes: covers, standIn: fireTime });
  if (trigger !== 'schedule' || resumes !== undefined) {
    const offered = { ...plan, ...(covers.length > 0 && { coversFrom: Math.min(...covers) }) };
    return offer(ledger, entry, offered, resumes);
  }
  refuseStray(job, plan);
  const scheduledTime = toIso(fireTime);
  return { fireledger: 'alarm', jobId: entry.id, ...schedulerContext, scheduledTime };
}

function refuseStray({ timetable, entry: { graceMs } }: LoadedJob, { fireTime, now }: Plan): void {
  const judged = judgeDelivery(toIso(fireTime), { timetable, graceMs, now });
  if (judged.kind === 'fire' && judged.fireTime === fireTime) return;
  const [before, after] = [timetable.previous(fireTime), timetable.next(fireTime)].map((instant) =>
    instant === null ? 'none' : toIso(instant),
  );
  const why =
    judged.kind === 'stray' && judged.cause !== 'off-schedule'
      ? `it is ${judged.cause} at ${toIso(now)}; its grace is ${graceMs / second} s`
      : `the job is not due then; the fire before is ${before}, the one after ${after}`;
  throw new Error(`no alarm starts a fire of ${toIso(fireTime)}: ${why}`);
}

async function recordOf(ledger: Ledger, { id }: ManifestJob, fireTime: number): Promise<Run> {
  for await (const run of ledger.history(id, { from: fireTime, to: fireTime })) return run;
  throw new Error(`no run of ${id} was recorded at ${toIso(fireTime)}`);
}
