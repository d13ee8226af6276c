import type { JobEntry } from '../domain/manifest.ts';
import { parseDuration, type Timetable, timetable } from '../domain/schedule/index.ts';
import { toIso } from '../domain/time.ts';
import type { Job } from '../job.ts';
import type { FaultPlan } from '../simulator/faults.ts';
import { Random } from '../simulator/random.ts';
import { type Span, within } from '../simulator/scenario.ts';
import type { WantedCrash } from './author-code.ts';
import { entryOf, instantOf } from './given.ts';
import type { SimulationOptions } from './simulate-job.ts';
import { faultPlan } from './simulated-faults.ts';
import { spanOf } from './simulated-time.ts';

/** What is to be simulated, checked. Instants are epoch milliseconds. */
export interface Plan {
  readonly entry: JobEntry;
  readonly span: Span;
  readonly random: Random;
  readonly faults: FaultPlan;
  readonly crashes: readonly WantedCrash[];
  readonly outages: readonly Span[];
  readonly takesMs: number;
}

const mostDays = 366;
const greatestSeed = 2 ** 32 - 1;

/** @throws for what can't be simulated, saying why */
export function planOf<Input>(job: Job<Input>, options: SimulationOptions): Plan {
  const { days, seed, faults = 'all', crashes = [], outages = [], codeTakes = '10 seconds' } = options;
  checkWhole(days, 'days', [1, mostDays]);
  checkWhole(seed, 'seed', [0, greatestSeed]);
  const random = new Random(seed);
  const from = options.from === undefined ? null : instantOf(options.from, 'from');
  const entry = entryOf(job, options.jobId ?? 'test/job', from ?? 0);
  const due = timetable(entry.spec);
  const span = spanOf(entry, due, { from, days, random: random.fork('span') });
  return {
    entry,
    span,
    random,
    faults: faultPlan(faults, random.fork('swarm')),
    crashes: crashes.map((crash) => wantedCrash(crash, { due, span })),
    outages: outages.map((outage) => wantedOutage(outage, span)),
    takesMs: parseDuration(codeTakes, 'codeTakes'),
  };
}

function checkWhole(value: number, what: string, [least, most]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new Error(`${what}: ${value} is out of range; allowed are whole numbers from ${least} to ${most}`);
}

type CrashOption = NonNullable<SimulationOptions['crashes']>[number];
type OutageOption = NonNullable<SimulationOptions['outages']>[number];

function wantedCrash(
  { fireTime: text, attempt = 1, afterCalls }: CrashOption,
  { due, span }: { due: Timetable; span: Span },
): WantedCrash {
  const fireTime = instantOf(text, 'crashes.fireTime');
  checkWhole(attempt, 'crashes.attempt', [1, 100]);
  if (afterCalls !== undefined) checkWhole(afterCalls, 'crashes.afterCalls', [0, 1_000_000]);
  if (due.has(fireTime) && within(fireTime, [span]))
    return { fireTime, attempt, afterCalls: afterCalls ?? null };
  const [before, after] = [due.previous(fireTime), due.next(fireTime)].map((instant) =>
    instant === null ? 'none' : toIso(instant),
  );
  throw new Error(
    `crashes.fireTime: the job is not due at ${toIso(fireTime)}, or that is not between ${toIso(span.from)} and ${toIso(span.to)}; the fire before is ${before}, the one after ${after}`,
  );
}

function wantedOutage({ from, to }: OutageOption, span: Span): Span {
  const outage = { from: instantOf(from, 'outages.from'), to: instantOf(to, 'outages.to') };
  if (span.from <= outage.from && outage.from < outage.to && outage.to <= span.to) return outage;
  throw new Error(
    `outages: ${from} to ${to} is no stretch of time between ${toIso(span.from)} and ${toIso(span.to)}`,
  );
}
