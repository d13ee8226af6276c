import { isDeepStrictEqual } from 'node:util';
import type { Run } from '../../functions/domain/run.ts';
import { hour } from '../../functions/domain/time.ts';
import { auditLedger } from '../../functions/store/audit-ledger.ts';
import { brokenPoolAtRest } from '../support/pool-rules.ts';
import type { CrashJob } from './jobs.ts';
import { beforeIt } from './outside.ts';
import type { Strike, Strikes } from './strikes.ts';
import { answered, writing } from './struck-ledger.ts';
import { noon, type Place, type Policy, pool, type World } from './world.ts';

/** What is left when nothing is going to happen any more. */
export interface Rest {
  readonly run: Run | null;
  /** The author's items. */
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** How often something was done outside of the ledger. */
  readonly times: (name: string) => number;
  readonly names: ReadonlySet<string>;
}

interface Of {
  readonly job: CrashJob;
  readonly policy: Policy;
  readonly plan: readonly Strike[];
  readonly strikes: Strikes;
  readonly world: World;
  readonly place: Place;
  readonly undisturbed: Rest | undefined;
}

/** What is wrong with what is left. */
export async function brokenAtRest(rest: Rest, of: Of): Promise<string[]> {
  const { run } = rest;
  if (run === null) return ['the fire has no run'];
  return [
    ...brokenEnd(run, of),
    ...brokenEffects(rest, run, of),
    ...brokenCommits(rest, of.job),
    ...(await brokenPlaces(run, of.place)),
  ];
}

function brokenEnd(run: Run, { job, plan, undisturbed }: Of): string[] {
  const deaths = plan.filter(({ kind }) => kind === 'dies' || kind === 'freezes').length;
  const successes = run.attempts.filter(({ outcome }) => outcome === 'succeeded').length;
  const { run: other } = undisturbed ?? {};
  return [
    ...(run.state === job.ends ? [] : [`the run is ${run.state} (${run.reason}, ${run.error?.message})`]),
    ...(successes === (run.state === 'succeeded' ? 1 : 0) ? [] : [`it has ${successes} successes`]),
    ...(run.crashes <= deaths ? [] : [`it has ${run.crashes} crashes of ${deaths} deaths`]),
    ...(run.attempts.every(({ outcome }) => outcome !== undefined) ? [] : ['an attempt has no outcome']),
    ...(!other || isDeepStrictEqual(run.result, other.result)
      ? []
      : [`its result is ${JSON.stringify(run.result)}`]),
    ...(!other || hasFailedAsWell(run, other)
      ? []
      : [`it failed ${run.failures} times: ${run.error?.message}`]),
    ...(!other || run.restarts !== undefined || run.hops === other.hops ? [] : [`it has ${run.hops} hops`]),
  ];
}

/** A failure that its process did not live to tell is a crash. */
function hasFailedAsWell({ state, failures = 0, error }: Run, other: Run): boolean {
  const others = other.failures ?? 0;
  return state === 'failed'
    ? failures === others && error?.message === other.error?.message
    : failures <= others;
}

function brokenEffects(
  { times, names }: Rest,
  run: Run,
  { job, policy, strikes, world: { reruns } }: Of,
): string[] {
  const { plain = [], maybe = [], once = [], items = { names: [], batch: 0 } } = job;
  const most = 1 + run.crashes + reruns;
  const keeps = policy !== 'rerun';
  const known = [...plain, ...maybe, ...once, ...items.names];
  const repeats = (of: readonly string[]) => of.reduce((sum, name) => sum + Math.max(0, times(name) - 1), 0);
  const tooMany = (of: readonly string[], allowed: number) =>
    keeps && repeats(of) > allowed ? [`${repeats(of)} of ${of.join(', ')} were repeated`] : [];
  return [
    ...[...names].filter((name) => !known.includes(name)).map((name) => `${name} was done`),
    ...known
      .filter((name) => !maybe.includes(name) && times(name) === 0)
      .map((name) => `${name} was not done`),
    ...known.filter((name) => times(name) > most).map((name) => `${name} was done ${times(name)} times`),
    ...once
      .filter((name) => times(name) > (couldNotKnow(name, strikes) ? 2 : 1))
      .map((name) => `once ${name} was done ${times(name)} times`),
    ...tooMany([...plain, ...maybe], run.crashes),
    ...tooMany(items.names, run.crashes * items.batch),
  ];
}

/** Its process was frozen between its intent and its work, and does it long after its lease. No design can forbid that. */
function couldNotKnow(name: string, { frozenAt }: Strikes): boolean {
  const between = [answered(writing(name, 'begun')), beforeIt(name)];
  return frozenAt !== undefined && between.includes(frozenAt.what);
}

function brokenCommits({ items }: Rest, { commits = [] }: CrashJob): string[] {
  const times = new Map(items.map(({ pk, times: often }) => [pk, often]));
  return [
    ...commits
      .filter((key) => times.get(key) !== 1)
      .map((key) => `${key} was committed ${times.get(key)} times`),
    ...[...times.keys()].filter((key) => !commits.some((one) => one === key)).map((key) => `${key} is there`),
  ];
}

async function brokenPlaces(run: Run, { ledger }: Place): Promise<string[]> {
  const { jobId } = run;
  const job = await ledger.job(jobId);
  const pools = [...(await ledger.pools([pool])).values()];
  const range = { from: noon - hour, to: noon + 2 * hour };
  const { missing, extra, doubleRuns } = await auditLedger(ledger, [jobId], range);
  return [
    ...(job?.slot === undefined && !run.hasSlot ? [] : [`the slot is ${job?.slot}'s`]),
    ...(job?.queued === 0 ? [] : [`${job?.queued} are counted that wait for the slot`]),
    ...pools.flatMap(brokenPoolAtRest),
    ...pools
      .filter(({ free, capacity }) => free !== capacity)
      .map(({ free }) => `${free} of the pool are free`),
    ...[...missing, ...extra].map((id) => `${id} is missing, or was never due`),
    ...(doubleRuns === 0 ? [] : [`${doubleRuns} double runs`]),
  ];
}
