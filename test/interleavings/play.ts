import type fc from 'fast-check';
import type { Ledger } from '../../functions/domain/ledger.ts';
import type { Manifest, ManifestJob } from '../../functions/domain/manifest.ts';
import { minute, second } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { at } from '../support/jobs.ts';
import { World as Reconciler } from '../support/reconciler.ts';
import { fromNoon, noon, type Script } from './acts.ts';
import { deployed } from './draw.ts';
import { healthy } from './process.ts';
import { brokenAtRest, isUnderWay } from './rest-rules.ts';
import { watchedLedger } from './watch.ts';
import { World } from './world.ts';

const published = at('10:00');
/** Every fire of every world is due before. */
const end = at('12:30');
/** Longer than a lease, an offer's life and any grace, so that each last sweep moves what the one before it left. */
const roundMs = 6 * minute;
const mostRounds = 20;

/** What a process gets instead of the sound ledger. */
export type Mutate = (ledger: Ledger) => Ledger;

export interface Circumstances {
  /** Empty. @default in memory */
  readonly ledger?: Ledger;
  readonly mutate?: Mutate;
}

export interface Played {
  /** What broke a promise, in the order in which it was seen. */
  readonly broken: readonly string[];
  /** Each step, in order. */
  readonly trace: readonly string[];
  /** What happened at all. */
  readonly met: ReadonlySet<string>;
}

/** Plays a world to its end, or until a promise is broken. */
export async function play(
  script: Script,
  scheduler: fc.Scheduler,
  { ledger = memoryLedger(), mutate = (sound) => sound }: Circumstances = {},
): Promise<Played> {
  const [first = deployed([])] = script.deploys;
  await publish(first, ledger);
  const world = new World(script, {
    scheduler,
    ledger: (watch) => mutate(watchedLedger(ledger, watch)),
    now: fromNoon(Math.min(...script.acts.map((act) => act.at))),
  });
  const { stage, watch } = world;
  for (const { id } of first.jobs) watch.saw({ job: await ledger.job(id) });
  watch.saw({ pools: [...(await ledger.pools(poolsOf(script))).values()] });
  for (const act of script.acts) world.begin(act);
  void stage.pass(script.jumps);
  const goOn = () => watch.broken.length === 0;
  await stage.play(goOn);
  await comeToRest(world, script, goOn);
  const broken = goOn()
    ? await brokenAtRest(ledger, watch, { jobs: everyJob(script), pools: poolsOf(script) })
    : watch.broken;
  return { broken, trace: stage.trace, met: watch.met };
}

async function publish({ jobs, pools = {} }: Manifest, ledger: Ledger): Promise<void> {
  const reconciler = new Reconciler(published, jobs, ledger);
  reconciler.pools = pools;
  await reconciler.sweep();
}

/** The names of all that were ever declared. */
function poolsOf({ deploys }: Script): string[] {
  return [...new Set(deploys.flatMap(({ pools = {} }) => Object.keys(pools)))];
}

/** As it was last deployed. */
function everyJob({ deploys }: Script): ManifestJob[] {
  return [...new Map(deploys.flatMap(({ jobs }) => jobs).map((job) => [job.id, job])).values()];
}

/** Sweeps in which nothing goes wrong, until nothing is left to do. */
async function comeToRest(world: World, script: Script, goOn: () => boolean): Promise<void> {
  const { stage, watch } = world;
  world.calmDown();
  stage.time.pass(Math.max(0, end - stage.time.now));
  for (const { id: jobId } of everyJob(script))
    world.begin({ kind: 'resume', at: (end - noon) / second, jobId, luck: healthy });
  for (let round = 0; goOn() && round < mostRounds; round += 1) {
    await stage.play(goOn);
    const soon = (stage.time.now + roundMs - noon) / second;
    if (round > 1 && ![...watch.runs.values()].some(isUnderWay)) return;
    world.begin({ kind: 'sweep', at: soon, deploy: script.deploys.length - 1, luck: healthy });
  }
}
