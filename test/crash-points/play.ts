import { isOpen, type Run } from '../../functions/domain/run.ts';
import { minute, second } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { type JobName, jobs } from './jobs.ts';
import { brokenAtRest, type Rest } from './rules.ts';
import { type Point, type Strike, Strikes } from './strikes.ts';
import { type Mutate, noon, type Place, type Policy, World } from './world.ts';

/** A job, and what its file says of a crash. */
export interface Scene {
  readonly job: JobName;
  readonly policy: Policy;
}

export interface Circumstances {
  /** @default a new one in memory */
  readonly place?: Place;
  readonly mutate?: Mutate;
}

export interface Played {
  /** What broke a promise. */
  readonly broken: readonly string[];
  /** The points that were passed before the first strike, between it and the second, and so on. */
  readonly passed: readonly (readonly Point[])[];
  /** What was left in the end. */
  readonly rest: Rest;
}

/** Longer than that it takes for no world. */
const mostRounds = 200;

/** Plays one fire to its end, whatever strikes. `undisturbed`: what was left when nothing did. */
export async function play(
  { job: name, policy }: Scene,
  plan: readonly Strike[],
  { place = inMemory(), mutate = (sound) => sound, undisturbed }: Circumstances & { undisturbed?: Rest } = {},
): Promise<Played> {
  const strikes = new Strikes(plan);
  const job = jobs[name];
  const world = new World({ job, policy, place, strikes, mutate });
  await world.sweep();
  world.deliver();
  await world.loop.run(noon);
  await comeToRest(world, strikes);
  const rest = await restOf(world, place);
  const broken = [
    ...world.broken,
    ...(strikes.left === 0 ? [] : [`${strikes.left} strikes never came`]),
    ...(await brokenAtRest(rest, { job, policy, plan, strikes, world, place, undisturbed })),
  ];
  return { broken, passed: strikes.passed, rest };
}

/** Until the run has ended and nobody is at work any more, and whoever is frozen has thawed. */
async function comeToRest(world: World, strikes: Strikes): Promise<void> {
  for (let round = 0; round < mostRounds; round += 1) {
    await world.loop.run(world.loop.now + 30 * second);
    const run = await world.run;
    if (run?.state === 'parked') {
      await world.release(run);
      await world.sweep();
    } else if (needsSweep(run, world.loop.now)) await world.sweep();
    else if (run !== null && !isOpen(run.state)) {
      if (!world.isBusy) return;
      strikes.thaw('at-rest');
    }
  }
}

function needsSweep(run: Run | null, now: number): boolean {
  if (run === null) return now > noon + 5 * minute;
  if (run.state === 'waiting') return true;
  return isOpen(run.state) && run.attentionAt !== undefined && run.attentionAt <= now;
}

async function restOf(world: World, place: Place): Promise<Rest> {
  const { outside } = world;
  const items = await place.authorsItems();
  return { run: await world.run, items, times: (name) => outside.times(name), names: outside.names };
}

function inMemory(): Place {
  const ledger = memoryLedger();
  const authorsItems = async () => ledger.tables.items.authors ?? [];
  return { ledger, authorsTable: 'authors', authorsItems, nonce: '' };
}
