import fc from 'fast-check';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { cron, every, type Spec } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute, second } from '../../functions/domain/time.ts';
import { Deployment } from '../support/deployment.ts';
import { at, manifestJob } from '../support/jobs.ts';

/** One version of the job, with its fires told a second time, by counting minutes since the epoch in UTC. */
interface Version {
  readonly job: ManifestJob;
  readonly isDue: (minuteOfEpoch: number) => boolean;
  readonly isExcluded: (minuteOfEpoch: number) => boolean;
  /** Whether alarms hit its fires. */
  readonly hasAlarms: boolean;
}

const never = () => false;
const hourOf = (minuteOfEpoch: number) => Math.floor(minuteOfEpoch / 60) % 24;
const utc = (expression: string, more: Partial<Spec> = {}): Spec => ({
  schedules: [cron(expression)],
  timezone: 'UTC',
  ...more,
});

const specs: readonly (Omit<Version, 'job'> & { readonly spec: Spec })[] = [
  { spec: utc('*/10 * * * *'), isDue: (m) => m % 10 === 0, isExcluded: never, hasAlarms: true },
  { spec: utc('*/15 * * * *'), isDue: (m) => m % 15 === 0, isExcluded: never, hasAlarms: true },
  {
    spec: utc('5,25,40 * * * *'),
    isDue: (m) => [5, 25, 40].includes(m % 60),
    isExcluded: never,
    hasAlarms: true,
  },
  {
    spec: utc('*/10 * * * *', { except: [cron('* 2 * * *')] }),
    isDue: (m) => m % 10 === 0,
    isExcluded: (m) => hourOf(m) === 2,
    hasAlarms: true,
  },
  {
    spec: utc('*/20 * * * *', { timezone: 'Asia/Kolkata' }),
    isDue: (m) => (m + 330) % 20 === 0,
    isExcluded: never,
    hasAlarms: true,
  },
  {
    spec: { schedules: [every('7 minutes')], timezone: 'UTC' },
    isDue: (m) => m % 7 === 0,
    isExcluded: never,
    hasAlarms: false,
  },
  {
    spec: utc('*/5 * * * *', { until: '2026-12-01T02:00' }),
    isDue: (m) => m % 5 === 0 && m * minute <= at('02:00'),
    isExcluded: never,
    hasAlarms: false,
  },
];

export const start = at('00:00:30');
export const end = at('05:00');
export const jobId = manifestJob().id;

/** Missed fires are made up while faults strike, so that they compete; else not, so that a lost one shows. */
export interface Timeline {
  readonly policy: 'all' | 'skip';
  /** Deploys of the reconciler's and of the jobs' stack: seconds after the start, version; null: without the job. */
  readonly reconciler: readonly (readonly [number, number | null])[];
  readonly functions: readonly (readonly [number, number | null])[];
  /** Seconds after its fire at which an alarm comes; in turn. Null: never. */
  readonly latencies: readonly (readonly (number | null)[])[];
  /** The second of the minute at which sweeps start; which of them take place, in turn; and whether a nudge arrives. */
  readonly phase: number;
  readonly sweeps: readonly boolean[];
  readonly nudges: boolean;
}

/** Around a fire, where it matters. */
const moment = fc
  .tuple(fc.integer({ min: 1, max: 59 }), fc.integer({ min: -90, max: 200 }))
  .map(([fives, offset]) => (fives * 5 * minute + at('00:00') - start) / second + offset);
const version = fc.option(fc.nat(specs.length - 1), { freq: 5 });
const deploys = fc
  .tuple(fc.tuple(fc.constant(0), version), fc.array(fc.tuple(moment, version), { maxLength: 5 }))
  .map(([first, rest]) => [first, ...rest.sort(([a], [b]) => a - b)]);
const stacks = { reconciler: deploys, functions: deploys, phase: fc.nat(59), nudges: fc.boolean() };

/** As it should be: every alarm comes within seconds, maybe twice, and no sweep falls out. */
export const calm: fc.Arbitrary<Timeline> = fc.record({
  ...stacks,
  policy: fc.constant('skip' as const),
  latencies: fc.array(fc.array(fc.nat(25), { minLength: 1, maxLength: 2 }), { minLength: 1 }),
  sweeps: fc.constant([true]),
});

const latency = fc.oneof(fc.nat(400), fc.integer({ min: -60, max: -31 }), fc.constant(null));

/** Alarms that come much too early, late, never or often, and sweeps that fall out. */
export const faulty: fc.Arbitrary<Timeline> = fc.record({
  ...stacks,
  policy: fc.constantFrom('all' as const, 'skip' as const),
  latencies: fc.array(fc.array(latency, { maxLength: 3 }), { minLength: 1 }),
  sweeps: fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
});

interface Deployed {
  readonly from: number;
  readonly version: Version | null;
}

/** What happened: which version was in force when, which code was deployed when, and the ledger that came of it. */
export interface Played {
  readonly made: Deployment;
  readonly inForce: readonly Deployed[];
  /** Every code that was deployed at some time of a stretch, its ends included. */
  readonly functionsDuring: (from: number, to: number) => readonly (Version | null)[];
}

/** Plays a timeline on the real reconciler and runtime; afterwards sweeps until nothing is left to do. */
export async function play(timeline: Timeline): Promise<Played> {
  const functions = historyOf(timeline.functions, timeline);
  const cloud = new Cloud(historyOf(timeline.reconciler, timeline), functions);
  const rings = alarmsOf(functions, timeline).map(({ at, fire }) => ({
    at,
    act: () => cloud.ring(at, fire, timeline.nudges),
  }));
  const sweeps = sweepsOf(timeline).map((at) => ({ at, act: () => cloud.sweep(at) }));
  for (const { act } of [...rings, ...sweeps].sort((a, b) => a.at - b.at)) await act();
  cloud.deployBoth();
  for (let more = 1; more <= 20; more += 1) await cloud.sweep(end + hour + more * minute);
  return { made: cloud.made, inForce: cloud.inForce, functionsDuring: during(functions) };
}

/** Both stacks, each as its history has it. */
class Cloud {
  readonly made = new Deployment(start, []);
  readonly inForce: Deployed[] = [];
  readonly #reconciler: readonly Deployed[];
  #functions: readonly Deployed[];

  constructor(reconciler: readonly Deployed[], functions: readonly Deployed[]) {
    this.#reconciler = reconciler;
    this.#functions = functions;
  }

  /** The deploy is complete: the functions are of the reconciler's version. */
  deployBoth(): void {
    this.#functions = this.#reconciler;
  }

  async sweep(now: number): Promise<void> {
    const version = deployedAt(this.#reconciler, now);
    if (version?.job.specId !== this.inForce.at(-1)?.version?.job.specId)
      this.inForce.push({ from: now, version });
    this.made.deployReconciler(jobsOf(version));
    this.made.deployFunctions(jobsOf(deployedAt(this.#functions, now)));
    await this.made.sweepAt(now);
  }

  async ring(now: number, fire: number, nudges: boolean): Promise<void> {
    this.made.deployFunctions(jobsOf(deployedAt(this.#functions, now)));
    const handled = await this.made.alarmAt(jobId, fire, now);
    if (nudges && handled?.outcome === 'stray') await this.sweep(now + beforeSweep);
  }
}

function during(history: readonly Deployed[]): Played['functionsDuring'] {
  return (from, to) => [
    deployedAt(history, from),
    ...history.filter((one) => from < one.from && one.from <= to).map(({ version }) => version),
  ];
}

function jobsOf(version: Version | null): readonly ManifestJob[] {
  return version === null ? [] : [version.job];
}

function historyOf(deploys: Timeline['functions'], { policy }: Timeline): Deployed[] {
  const missed = { policy, limit: 1_000, maxAgeMs: day, ratePerMinute: 100 } as const;
  return deploys.map(([from, index]) => {
    const found = index === null ? undefined : specs[index];
    const job = found && manifestJob({ spec: found.spec, missed, overlap: 'allow' });
    return { from: start + from * second, version: found && job ? { ...found, job } : null };
  });
}

function deployedAt(history: readonly Deployed[], now: number): Version | null {
  return history.findLast(({ from }) => from <= now)?.version ?? null;
}

/** Milliseconds by which alarms precede a sweep of the same second: at one instant nobody could tell which came first. */
export const beforeSweep = 1;

/** The alarms of whatever version of the jobs' stack is deployed when they are due. */
function alarmsOf(functions: readonly Deployed[], { latencies }: Timeline): { at: number; fire: number }[] {
  const alarms: { at: number; fire: number }[] = [];
  let turn = 0;
  for (let fire = Math.ceil(start / minute) * minute; fire <= end; fire += minute) {
    const code = deployedAt(functions, fire);
    if (!code?.hasAlarms || !code.isDue(fire / minute)) continue;
    for (const late of latencies[turn % latencies.length] ?? [])
      if (late !== null) alarms.push({ at: fire + late * second - beforeSweep, fire });
    turn += 1;
  }
  return alarms;
}

function sweepsOf({ sweeps, phase }: Timeline): number[] {
  const minutes = Array.from({ length: (end - start) / minute + 5 }, (_, count) => count);
  return minutes
    .filter((count) => count === 0 || sweeps[count % sweeps.length])
    .map((count) => start + count * minute + (count === 0 ? 0 : phase * second));
}
