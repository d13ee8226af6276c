import { type ManifestJob, type MissedPolicy, type RetryPolicy, specIdOf } from '../domain/manifest.ts';
import { at, cron, every, type Schedule, type Spec } from '../domain/schedule/index.ts';
import { day, hour, minute, second, toIso } from '../domain/time.ts';
import type { Random } from './random.ts';

const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Taipei',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
] as const;

/** Nightly, hourly, every few minutes; in gaps and repeated hours; some that no alarm can follow. */
const schedules: readonly Schedule[] = [
  cron('*/15 * * * *'),
  cron('7 * * * *'),
  cron('0 3 * * *'),
  cron('30 2 * * *'),
  cron('30 1 * * *'),
  cron('15,45 0-3 * * *'),
  cron('0 9 1 * *'),
  cron('0 0 13 * 5'),
  cron('0 12 * * 1-5'),
  every('25 minutes'),
  every('7 hours'),
];

const busy: readonly Schedule[] = [
  cron('*/5 * * * *'),
  cron('*/5 * * * *'),
  cron('*/4 * * * *'),
  every('5 minutes'),
];

/** The id of the job that is due every few minutes, and always there. */
export const busyJobId = 'rates/pull';

/** The jobs of a system: a busy one and some others, with whatever policies. `from`: when it begins, epoch milliseconds. */
export function drawJobs(random: Random, from: number): ManifestJob[] {
  const others = random.whole(2, 5);
  return [
    drawJob(busyJobId, random, [random.pick(busy)]),
    ...Array.from({ length: others }, (_, index) =>
      drawJob(`team-${index + 1}/job`, random, [
        random.chance(0.1) ? at(localMinute(from + random.whole(1, 3) * day)) : random.pick(schedules),
      ]),
    ),
  ];
}

function localMinute(instant: number): string {
  return toIso(instant).slice(0, 16);
}

export function drawJob(id: string, random: Random, of: readonly Schedule[]): ManifestJob {
  const spec = drawSpec(random, of);
  return {
    id,
    file: `${id}.ts`,
    description: `A job of the simulator`,
    spec,
    specId: specIdOf(spec),
    ...drawPolicies(random),
    memoryMb: 256,
  };
}

type Policies = Pick<
  ManifestJob,
  | 'missed'
  | 'crashed'
  | 'overlap'
  | 'maxQueued'
  | 'maxWaitMs'
  | 'retry'
  | 'pauseAfter'
  | 'timeoutMs'
  | 'graceMs'
>;

function drawPolicies(random: Random): Policies {
  return {
    missed: drawMissed(random),
    crashed: random.pick(['rerun', 'resume', 'resume', 'park'] as const),
    ...drawOverlap(random),
    ...(random.chance(0.5) && { retry: drawRetry(random) }),
    ...(random.chance(0.1) && { pauseAfter: random.pick([2, 5]) }),
    timeoutMs: random.pick([30 * second, 2 * minute, 5 * minute, 10 * minute]),
    graceMs: random.pick([minute, 2 * minute, 3 * minute, 3 * minute, 10 * minute, hour]),
  };
}

function drawOverlap(random: Random): Pick<Policies, 'overlap' | 'maxQueued' | 'maxWaitMs'> {
  const overlap = random.pick([
    ...(['skip', 'skip', 'queue', 'queue', 'queue-one', 'allow', 'cancel-running'] as const),
  ]);
  const [maxQueued, maxWaitMs] = [random.pick([1, 3, 100]), random.pick([10 * minute, 2 * hour, day])];
  return overlap === 'queue' ? { overlap, maxQueued, maxWaitMs } : { overlap };
}

function drawRetry(random: Random): RetryPolicy {
  return {
    attempts: random.pick([2, 3, 5]),
    backoffMs: random.pick([second, minute, 10 * minute]),
    capMs: random.pick([10 * minute, hour]),
  };
}

function drawMissed(random: Random): MissedPolicy {
  return {
    policy: random.pick(['all', 'all', 'latest', 'latest', 'skip'] as const),
    limit: random.pick([1, 3, 10, 100]),
    maxAgeMs: random.pick([hour, 12 * hour, 7 * day]),
    ratePerMinute: random.pick([1, 3, 10]),
  };
}

function drawSpec(random: Random, of: readonly Schedule[]): Spec {
  const timezone = random.pick(zones);
  return {
    schedules: of,
    timezone,
    ...(random.chance(0.15) && { except: [cron('*/30 4 * * *')] }),
    ...(random.chance(0.15) && { spreadMs: random.whole(1, 7) * minute }),
    ...(random.chance(0.2) && { dst: { gap: 'skip', repeat: 'both' } as const }),
  };
}

/** The same job with other answers to what may go wrong. */
export function withOtherPolicies(
  { retry: _retry, pauseAfter: _pauseAfter, ...job }: ManifestJob,
  random: Random,
): ManifestJob {
  return { ...job, ...drawPolicies(random) };
}

/** The same job with another schedule. */
export function editedJob(job: ManifestJob, random: Random): ManifestJob {
  const spec = drawSpec(random, [job.id === busyJobId ? random.pick(busy) : random.pick(schedules)]);
  return { ...job, spec, specId: specIdOf(spec) };
}
