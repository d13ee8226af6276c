import { type Catalog, loadCatalog } from '../catalog/index.ts';
import { type Look, lookOf } from '../cli/render/look.ts';
import { spanText } from '../cli/render/times.ts';
import { isClean } from '../domain/audit.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { localStage } from './cloud-functions.ts';
import { type DataFolder, explainDataFolder, openDataFolder } from './datafolder.ts';
import { finalAudit } from './final-audit.ts';
import { ownJobs, readOptions, type StartOptions, wasTold } from './options.ts';
import { farewell, headerText } from './print.ts';
import { type Show, showEvents } from './show.ts';

const exit = { fine: 0, foundWrong: 1, needsPerson: 2 } as const;
/** How long Ctrl-C waits for what runs. A second one doesn't wait. */
const patienceMs = 30_000;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const startedAt = Date.now();
  const catalog = await loadCatalog({ jobsDir: options.jobs, stage: localStage });
  for (const warning of catalog.warnings) console.error(`warning: ${warning}`);
  const folder = openDataFolder({
    holder: 'npm start',
    dir: options.data,
    ephemeral: options.ephemeral,
  });
  try {
    return await run({ options, catalog, folder, startedAt });
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
  readonly startedAt: number;
}

async function run({ options, catalog, folder, startedAt }: Started): Promise<number> {
  const look = lookOf(process.stdout.columns);
  const { jobs } = catalog.manifest;
  const show = showEvents({ jobs, look, json: options.json, logFile: folder.path('log.jsonl') });
  const cloud = await startCloud({
    catalog,
    folder,
    instances: options.instances,
    ...(options.port === undefined ? {} : { port: options.port }),
    withExample: options.jobs === ownJobs,
    tell: show.tell,
  });
  show.attach(cloud.ledger);
  const now = Date.now();
  const { engine, endpointUrl } = cloud;
  const { dir } = folder;
  const header = {
    jobs,
    dir,
    engine,
    endpointUrl,
    instances: options.instances,
    readyMs: now - startedAt,
    now,
  };
  if (!options.json) console.log(headerText(header, look));
  const why = await untilStopped(options.forMs);
  return stop(cloud, { options, catalog, show, look, why });
}

/** Resolves when the time is up or a person says so. */
function untilStopped(forMs: number | undefined): Promise<'time' | 'signal'> {
  return new Promise((resolve) => {
    const timer = forMs === undefined ? undefined : setTimeout(() => resolve('time'), forMs);
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        clearTimeout(timer);
        resolve('signal');
      });
  });
}

async function stop(
  cloud: Cloud,
  {
    options,
    catalog,
    show,
    look,
    why,
  }: { options: StartOptions; catalog: Catalog; show: Show; look: Look; why: 'time' | 'signal' },
): Promise<number> {
  const busy = cloud.busy();
  if (!options.json && busy.length > 0)
    console.log(
      `\nWaiting up to ${spanText(patienceMs)} for ${busy.join(', ')}. Ctrl-C again stops at once.`,
    );
  process.once('SIGINT', () => process.exit(130));
  const { until, left } = await cloud.drain(patienceMs);
  await show.done();
  const audit = await finalAudit(cloud.ledger, catalog.manifest, until);
  await cloud.close();
  if (options.json) console.log(JSON.stringify(audit));
  else console.log(farewell(audit, left, look));
  return isClean(audit) || why === 'signal' ? exit.fine : exit.foundWrong;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!wasTold(error)) console.error(error instanceof Error ? error.message : error);
  process.exitCode = wasTold(error) && error.exitCode === 0 ? exit.fine : exit.needsPerson;
}
