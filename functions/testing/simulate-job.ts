import { type Audit, auditableUntil } from '../domain/audit.ts';
import type { Ledger } from '../domain/ledger.ts';
import { publicManifest } from '../domain/manifest.ts';
import { runId } from '../domain/names.ts';
import type { Run, Trigger } from '../domain/run.ts';
import { toIso } from '../domain/time.ts';
import type { Duration, Job } from '../job.ts';
import { loadJob } from '../runtime/load.ts';
import { drawAround } from '../simulator/draw-scenario.ts';
import type { Faults, Strikes } from '../simulator/faults.ts';
import { invariants, ofModelledWork } from '../simulator/invariants/index.ts';
import { quietWorld } from '../simulator/invariants/quiet-world.ts';
import type { BodyEnd, Observer } from '../simulator/observe.ts';
import { type Played, play } from '../simulator/play.ts';
import type { Random } from '../simulator/random.ts';
import type { Scenario, Span } from '../simulator/scenario.ts';
import { type TraceLine, traceText } from '../simulator/trace.ts';
import { auditLedger } from '../store/audit-ledger.ts';
import type { MemoryItem } from '../store/memory-tables.ts';
import { AuthorCode } from './author-code.ts';
import { BrokenPromise } from './broken-promise.ts';
import { fakeFetch } from './fake-fetch.ts';
import { manifestOf } from './given.ts';
import { givenSecrets } from './given-secrets.ts';
import type { JobFault } from './simulated-faults.ts';
import { type Plan, planOf } from './simulation-plan.ts';

/** Instants are ISO with a zone, such as `2026-10-25T02:30:00+01:00`. */
export interface SimulationOptions {
  /** How many days of 24 hours the job is deployed and may be due: 1 to 366. Then everything comes to rest. */
  readonly days: number;
  /** Determines all that happens: a whole number from 0 to 4294967295. */
  readonly seed: number;
  /**
   * What may go wrong: names of faults (`'lost-delivery'`, `'crash-in-body'`, …; `npm run simulate -- --help` lists
   * them), `'all'`, of which the seed draws about two thirds, or `'none'`. @default 'all'
   */
  readonly faults?: 'all' | 'none' | readonly JobFault[];
  /** When it is deployed. @default drawn from the seed, often on the eve of a day on which its zone's clocks change */
  readonly from?: string;
  /** Deaths of its process half-way, for certain, whatever `faults` are. @default none */
  readonly crashes?: readonly {
    readonly fireTime: string;
    /** @default 1 */
    readonly attempt?: number;
    /** It dies when so many calls were sent, before it hears of the last; at its end, if they are fewer. @default drawn */
    readonly afterCalls?: number;
  }[];
  /** When alarms, control queue and reconciler stand still, whatever `faults` are. @default none */
  readonly outages?: readonly { readonly from: string; readonly to: string }[];
  /** What a person decides about each parked run within some hours. @default it stays parked, but for the fault `released-run` */
  readonly parked?: 'rerun' | 'fail';
  /** How long the code takes in virtual time, besides up to a second for each call. @default '10 seconds' */
  readonly codeTakes?: Duration;
  /** Environment variables of the job, on top of its own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The values of the job's secrets, by their names in its code: `{ API_KEY: 'of the test' }`. @default none */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What the job's `fetch` is. @default one that answers nothing */
  readonly fetch?: typeof globalThis.fetch;
  /** The job's id, which it has from its file when deployed. @default 'test/job', or its own `id` */
  readonly jobId?: string;
}

/** One execution of the job's code, as it truly happened, whatever the ledger says. */
export interface SimulatedExecution {
  /** The id of its run, which is its `fire.id`. */
  readonly run: string;
  readonly trigger: Trigger;
  readonly attempt: number;
  /** Epoch milliseconds, by true time. */
  readonly beganAt: number;
  readonly endedAt: number;
  /** `killed`: its process died. */
  readonly end: BodyEnd;
}

/** What became of a job. */
export interface SimulatedJob {
  /** The ledger's records of all fires that were due, and of runs that a person started; oldest first. */
  readonly runs: readonly Run[];
  /** As `fl audit --json` gives it. */
  readonly audit: Audit;
  /** In the order in which they began. */
  readonly executions: readonly SimulatedExecution[];
  /** What its commits have written, by table. The key of an item is its pk and sk, or its id. */
  readonly tables: Readonly<Record<string, readonly MemoryItem[]>>;
  /** How often each fault struck; those that did not are left out. */
  readonly strikes: Readonly<Partial<Record<JobFault, number>>>;
  /** 16 hex digits: two simulations with the same hash were the same. */
  readonly hash: string;
  /** What happened, line by line, with the true time: of one run (by its id), or all. */
  trace(run?: string): string;
}

/**
 * An author's code may fail, and a test may kill it and stop the world, though nothing else is disturbed. And it tells nothing
 * of what its steps do.
 */
const promises = invariants.filter((one) => one !== quietWorld && !ofModelledWork.includes(one));

/** The globals that job code finds around itself are this process's: one simulation after the other. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Runs a job through days of virtual time, in seconds: the real runtime, reconciler and ledger in a modelled AWS in
 * which alarms get lost and doubled, processes die and stores fail. The same seed and options come to the same result.
 *
 * The job's own code runs for real. Each of its calls, by `fetch` or through node:http as the AWS SDK makes them, takes
 * virtual time, and its process may die before it is sent and before its answer is heard. Whatever else the code awaits
 * takes no virtual time.
 *
 * @throws BrokenPromise when fireledger broke one of its promises, with the seed and what happened
 * @throws for a job that would not deploy, for options that can't be simulated, saying why, and for `crashes` that did
 *   not come about
 */
export function simulateJob<Input>(job: Job<Input>, options: SimulationOptions): Promise<SimulatedJob> {
  const simulated = before.then(() => simulate(job, options));
  before = simulated.catch(() => undefined);
  return simulated;
}

async function simulate<Input>(job: Job<Input>, options: SimulationOptions): Promise<SimulatedJob> {
  const plan = planOf(job, options);
  const { entry, span, takesMs, crashes } = plan;
  const { fetch = fakeFetch(), environment } = options;
  const secrets = givenSecrets(entry, options.secrets, Date.now);
  const loaded = loadJob(entry, job);
  const author = new AuthorCode({ job: loaded, until: span.to, fetch, secrets, takesMs, crashes });
  const lines: TraceLine[] = [];
  const executions = new Map<number, SimulatedExecution>();
  const played = await author.surround({ ...entry.environment, ...environment }, () =>
    play({
      random: plan.random,
      plan: plan.faults,
      scenario: (random, faults) => scenarioOf(plan, options.parked, { random, faults }),
      code: author.code,
      settle: author.settle,
      invariants: promises,
      observer: recorder(executions),
      trace: (line) => {
        if (isOfJob(line, entry.id)) lines.push(line);
      },
    }),
  );
  refuseBroken(played, { seed: options.seed, lines });
  refuseUnmet(author);
  const { ledger, loop } = played.world;
  const runs = await runsOf(ledger, entry.id, span);
  const ids = new Set(runs.map(runId));
  const range = { from: span.from, to: Math.min(span.to - 1, auditableUntil(loop.now, [entry])) };
  return {
    runs,
    audit: await auditLedger(ledger, [entry.id], range),
    executions: [...executions.values()].filter(({ run }) => ids.has(run)),
    tables: ledger.tables.items,
    strikes: struck(played.faults.counts),
    hash: played.hash,
    trace: (run) =>
      textOf(lines.filter((line) => (run === undefined ? isAbout(line, ids) : line.run === run))),
  };
}

function scenarioOf(
  { entry, span, outages }: Plan,
  parked: SimulationOptions['parked'],
  draw: { random: Random; faults: Faults },
): Scenario {
  const { from, to: until } = span;
  const manifest = publicManifest(manifestOf(entry));
  const deploy = { manifest, reconcilerAt: from, functionsAt: from, alarmsAt: from };
  const drawn = drawAround(() => [deploy], { from, until }, draw);
  const all = { ...drawn, outages: [...drawn.outages, ...outages] };
  return parked === undefined ? all : { ...all, parked };
}

function recorder(executions: Map<number, SimulatedExecution>): Observer {
  return {
    bodyBegan(_at, { number, trigger, attempt, beganAt, ...body }) {
      const run = runId(body);
      executions.set(number, { run, trigger, attempt, beganAt, endedAt: beganAt, end: 'killed' });
    },
    bodyEnded(endedAt, { number }, end) {
      const begun = executions.get(number);
      if (begun !== undefined) executions.set(number, { ...begun, endedAt, end });
    },
  };
}

/** The reconciler's minutes would bury what happened to the job. */
function isOfJob({ run, strike, actor }: TraceLine, jobId: string): boolean {
  return run !== undefined || strike !== undefined || actor.startsWith(`${jobId} `);
}

function isAbout({ run }: TraceLine, ids: ReadonlySet<string>): boolean {
  return run === undefined || ids.has(run);
}

function textOf(lines: readonly TraceLine[]): string {
  return lines.map(traceText).join('\n');
}

/** Of a promise that is about no run in particular. */
const lastLines = 60;

function refuseBroken(
  { violations: [violation] }: Played,
  { seed, lines }: { seed: number; lines: readonly TraceLine[] },
): void {
  if (violation === undefined) return;
  const { run } = violation;
  const told = run === undefined ? lines.slice(-lastLines) : lines.filter((line) => line.run === run);
  throw new BrokenPromise(violation, { seed, trace: textOf(told) });
}

function refuseUnmet({ unmet: [unmet] }: AuthorCode): void {
  if (unmet === undefined) return;
  const { fireTime, attempt } = unmet;
  throw new Error(
    `crashes: attempt ${attempt} of ${toIso(fireTime)} never began, so that it could not crash; faults: 'none' leaves out what may have come in its way`,
  );
}

/** Those of fires before the end, and what stands for one of them. */
async function runsOf(ledger: Ledger, jobId: string, { from, to }: Span): Promise<Run[]> {
  const runs: Run[] = [];
  for await (const run of ledger.history(jobId, { from, to: Number.MAX_SAFE_INTEGER }))
    if ([run.fireTime, ...(run.covers ?? [])].some((due) => due < to)) runs.push(run);
  return runs;
}

function struck(counts: Strikes): SimulatedJob['strikes'] {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
