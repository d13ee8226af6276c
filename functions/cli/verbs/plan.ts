import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { printable } from '../../catalog/problem.ts';
import { stageConfig } from '../../config.ts';
import { type Changes, changesBetween, looks, needsLook } from '../../domain/changes/index.ts';
import { type Manifest, publicManifest } from '../../domain/manifest.ts';
import { day } from '../../domain/time.ts';
import { type ExitCode, exitCodes, type Io, writeJson } from '../io.ts';
import { withLedgerOptions } from '../ledger-options.ts';
import { refuseLocal } from '../open-ledger.ts';
import { type Deployed, type PlanOptions, readDeployed } from '../plan/deployed.ts';
import { planJson } from '../render/plan-json.ts';
import { type Planned, planText } from '../render/plan-text.ts';
import { agoText } from '../render/times.ts';

interface Options extends PlanOptions {
  readonly jobs: string;
  readonly days: number;
}

const mostDays = 31;

export function addPlan(fl: Command, io: Io, exit: (code: ExitCode) => void): void {
  withLedgerOptions(fl.command('plan'))
    .description(
      'what a deployment of the working copy would change, and what of it a person should look at first',
    )
    .option('--jobs <dir>', 'the folder of the job files', 'functions/jobs')
    .option('--days <days>', `compare the fires of so many days, 1 to ${mostDays}`, wholeDays, 7)
    .option('--manifest <file>', 'compare with a manifest that was kept, and read no ledger')
    .addHelpText(
      'after',
      `
Reads, and changes nothing. What it read of a ledger is kept in the data folder (deployed-STAGE.json), and used when
that can't be reached; then nothing is known of runs, pauses and pools. Values of \`environment\` and code are compared
by nobody.
Ends with 0 when there is nothing to look at, 2 when a person should look, 1 when there is no plan: a job file is bad, or
what is deployed can't be read. A person should look, the worst first, where
${Object.values(looks)
  .map((why) => `  - ${why}`)
  .join('\n')}

Examples:
  fl plan
  fl plan --stage prod
  fl plan --stage prod --days 31 --json
  fl plan --stage prod --manifest deployed-prod.json`,
    )
    .action(async (options: Options) => exit(await planOrTell(options, io)));
}

function wholeDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= mostDays) return days;
  throw new InvalidArgumentError(`write a whole number of days from 1 to ${mostDays}.`);
}

/** No plan is another end than one that a person should look at. */
async function planOrTell(options: Options, io: Io): Promise<ExitCode> {
  try {
    return await plan(options, io);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    io.warn(`${io.look.colors.red('fl:')} ${printable(message)}\n`);
    return exitCodes.foundWrong;
  }
}

async function plan(options: Options, io: Io): Promise<ExitCode> {
  if (options.stage !== undefined) refuseLocal(options.stage);
  const stage = options.stage ?? 'local';
  const now = io.now();
  const after = await workingCopy(options.jobs, stage, now);
  const deployed = await readDeployed(options, { stage, after, now });
  const { manifest: before, facts } = deployed;
  const range = { from: now, to: now + options.days * day };
  const changes = changesBetween({ before, after, facts, range });
  const told = { now, days: options.days, leftOut: leftOut(changes, options.jobs) };
  const planned: Planned = {
    changes,
    told,
    against: againstText(deployed, now),
    warnings: warningsOf(deployed),
  };
  if (options.json) await writeJson(io, planJson(planned, deployed));
  else await io.write(`${planText(planned, io.look)}\n`);
  return needsLook(changes) ? exitCodes.needsPerson : exitCodes.fine;
}

/** The jobs that are removed while their file is still there. */
function leftOut({ jobs }: Changes, jobsDir: string): ReadonlySet<string> {
  const removed = jobs.filter(({ kind }) => kind === 'removed');
  const left = removed.filter(({ before }) => before && existsSync(join(resolve(jobsDir), before.file)));
  return new Set(left.map(({ id }) => id));
}

/** @throws CatalogError with every problem of every job file */
async function workingCopy(jobsDir: string, stage: string, now: number): Promise<Manifest> {
  const { jobStacks } = stageConfig(stage);
  // Only here: it brings the bundler along.
  const { loadCatalog } = await import('../../catalog/index.ts');
  const { manifest } = await loadCatalog({ jobsDir: resolve(jobsDir), stage, now });
  return { ...publicManifest(manifest), jobStacks };
}

const sources: Readonly<Record<Deployed['source'], (deployed: Deployed) => string>> = {
  ledger: ({ name }) => name,
  kept: ({ name }) => `what was kept of ${name}`,
  file: ({ name }) => name,
  nothing: ({ name }) => `nothing: ${name} has no jobs yet, so all are added`,
};

function againstText(deployed: Deployed, now: number): string {
  const { source, readAt } = deployed;
  const age = source === 'ledger' || readAt === null ? '' : `, read ${agoText(readAt, now)}`;
  return `${sources[source](deployed)}${age}`;
}

function warningsOf({ warnings, facts, manifest, tzdata }: Deployed): string[] {
  const here = process.versions.tz;
  return [
    ...warnings,
    ...(manifest !== null && facts === null
      ? ['nothing is known of runs, pauses and pools: no ledger was read']
      : []),
    ...(tzdata !== undefined && tzdata !== here
      ? [
          `fires are told by the time zone rules ${here}, and decided by ${tzdata}: around changed rules they may differ`,
        ]
      : []),
  ];
}
