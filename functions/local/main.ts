import { relative } from 'node:path';
import { type Catalog, loadCatalog } from '../catalog/index.ts';
import { defaultDataDir } from '../cli/ledger-options.ts';
import { type Look, lookOf } from '../cli/render/look.ts';
import { isClean } from '../domain/audit.ts';
import { toIso } from '../domain/time.ts';
import type { Cloud } from './cloud.ts';
import { localStage } from './cloud-functions.ts';
import { loadConsole, openPage } from './console-page.ts';
import { type DataFolder, explainDataFolder, openDataFolder } from './datafolder.ts';
import { finalAudit } from './final-audit.ts';
import { ownJobs, readOptions, type StartOptions, wasTold } from './options.ts';
import { cutShortText, farewell, type Header, headerText, waitingText } from './print.ts';
import { missingSecrets, secretsFile } from './secrets-file.ts';
import { type Show, showEvents } from './show.ts';
import { listenForStop, type Stopping, type StopReason } from './stopping.ts';

const exit = { fine: 0, foundWrong: 1, needsPerson: 2 } as const;
/** How long Ctrl-C waits for what runs. A second one doesn't wait. */
const patienceMs = 30_000;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  // The AWS SDK takes long to load; meanwhile esbuild, a process of its own, works on the job files.
  const cloud = import('./cloud.ts');
  const web = options.console ? loadConsole() : null;
  const catalog = await loadCatalog({ jobsDir: options.jobs, stage: localStage });
  for (const warning of [...catalog.warnings, ...missingSecrets(catalog.manifest.jobs, secretsFile)])
    console.error(`warning: ${warning}`);
  const folder = openDataFolder({
    holder: 'npm start',
    dir: options.data,
    ephemeral: options.ephemeral,
  });
  try {
    const { startCloud } = await cloud;
    return await run({ options, catalog, folder, startCloud, web });
  } catch (error) {
    throw explainDataFolder(error, folder.dir);
  } finally {
    folder.close();
  }
}

interface Started {
  readonly options: StartOptions;
  readonly catalog: Catalog;
  readonly folder: DataFolder;
  readonly startCloud: typeof import('./cloud.ts').startCloud;
  /** Null: without the console. */
  readonly web: ReturnType<typeof loadConsole> | null;
}

async function run({ options, catalog, folder, startCloud, web }: Started): Promise<number> {
  const look = lookOf(process.stdout.columns, process.env.COLUMNS);
  const { jobs } = catalog.manifest;
  const { instances, json, chaosSeed } = options;
  const stopping = listenForStop(options.forMs);
  const show = showEvents({ jobs, look, json, logFile: folder.path('log.jsonl') });
  const cloud = await startCloud({
    catalog,
    folder,
    instances,
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(chaosSeed === undefined ? {} : { chaosSeed }),
    withExample: options.jobs === ownJobs,
    tell: show.tell,
  });
  const { engine, endpointUrl } = cloud;
  const { dir } = folder;
  const page = web === null ? null : await openPage({ folder, loaded: web, jobsDir: options.jobs });
  const readyMs = Math.round(performance.now());
  const found = { ...poolsOf(catalog), flOptions: flOptions(options, dir) };
  const facts = {
    jobs,
    dir,
    ...found,
    engine,
    endpointUrl,
    instances,
    readyMs,
    now: Date.now(),
    ...(page && { consoleUrl: page.url }),
  };
  sayReady(chaosSeed === undefined ? facts : { ...facts, chaosSeed }, { json, look });
  show.begin(cloud.ledger);
  const lost = cloud.lost.then((message) => ({ why: 'lost' as const, message }));
  const asked = stopping.asked.then((why) => ({ why, message: '' }));
  const { why, message } = await Promise.race([asked, lost]);
  await page?.close();
  if (why === 'lost') return giveUp(cloud, message);
  return stop(cloud, { options, catalog, show, look, stopping, why });
}

function poolsOf({ manifest, poolsFile }: Catalog): Pick<Header, 'capacities' | 'poolsFile'> {
  const used = new Set(manifest.jobs.flatMap(({ pools = {} }) => Object.keys(pools)));
  const taken = Object.entries(manifest.pools ?? {}).filter(([name]) => used.has(name));
  const capacities = Object.fromEntries(taken.map(([name, { capacity }]) => [name, capacity]));
  const near = relative(process.cwd(), poolsFile);
  return { capacities, poolsFile: near.startsWith('..') ? poolsFile : near };
}

/** `fl` looks where a ledger is kept by default. */
function flOptions({ data, ephemeral }: StartOptions, dir: string): string {
  if (ephemeral) return `--data ${dir}`;
  return data === defaultDataDir ? '' : `--data ${data}`;
}

function sayReady(header: Header, { json, look }: { json: boolean; look: Look }): void {
  const { jobs, now, flOptions: _, ...facts } = header;
  const event = { kind: 'ready', at: toIso(now), ...facts, jobs: jobs.map(({ id }) => id) };
  console.log(json ? JSON.stringify(event) : headerText(header, look));
}

async function stop(
  cloud: Cloud,
  {
    options,
    catalog,
    show,
    look,
    stopping,
    why,
  }: {
    options: StartOptions;
    catalog: Catalog;
    show: Show;
    look: Look;
    stopping: Stopping;
    why: StopReason;
  },
): Promise<number> {
  const busy = cloud.busy();
  if (!options.json && busy.length > 0) console.log(waitingText(busy, patienceMs));
  stopping.obeyAtOnce(() => {
    if (!options.json) console.log(cutShortText(cloud.busy()));
  });
  const { left, ...rang } = await cloud.drain(patienceMs);
  await show.done();
  const audit = await finalAudit(cloud.ledger, catalog.manifest, rang);
  const chaos = cloud.chaos();
  await cloud.close();
  if (options.json) console.log(JSON.stringify(chaos === undefined ? audit : { ...audit, chaos }));
  else console.log(farewell(audit, { left, kept: !options.ephemeral, look, ...(chaos && { chaos }) }));
  return isClean(audit) || why !== 'time' ? exit.fine : exit.foundWrong;
}

/** Without its ledger nothing can be drained or audited. */
async function giveUp(cloud: Cloud, message: string): Promise<number> {
  await cloud.close();
  console.error(
    `${message} Nothing more can be recorded, so all has stopped. Start it again: what was due meanwhile is treated as missed, and what was running is settled when its lease ends.`,
  );
  return exit.needsPerson;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!wasTold(error)) console.error(error instanceof Error ? error.message : error);
  process.exitCode = wasTold(error) && error.exitCode === 0 ? exit.fine : exit.needsPerson;
}
