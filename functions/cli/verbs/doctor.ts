import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Catalog } from '../../catalog/index.ts';
import { stageConfig } from '../../config.ts';
import { holdsData } from '../data-endpoint.ts';
import { type Check, type CheckGroup, exitCodeOf, unknown } from '../doctor/check.ts';
import { dataFolderCheck, lockCheck } from '../doctor/data-folder.ts';
import { ledgerChecks } from '../doctor/ledger-checks.ts';
import { emulatorCheck, nodeCheck } from '../doctor/machine.ts';
import { networksCheck, secretsCheck } from '../doctor/needs.ts';
import { readWorkingCopy, stagesCheck } from '../doctor/working-copy.ts';
import { type ExitCode, type Io, writeJson } from '../io.ts';
import { defaultDataDir, type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { refuseLocal } from '../open-ledger.ts';
import { doctorJson, doctorText } from '../render/doctor-text.ts';

interface DoctorOptions extends LedgerOptions {
  readonly jobs: string;
}

export function addDoctor(fl: Command, io: Io, exit: (code: ExitCode) => void): void {
  withLedgerOptions(fl.command('doctor'))
    .description('what is set up, what looks wrong, and what to do; changes nothing')
    .option('--jobs <dir>', 'the folder of the job files', 'functions/jobs')
    .addHelpText(
      'after',
      `
Ends with 1 when something is wrong, else with 2 when a person must decide about a run, else with 0.

Examples:
  fl doctor
  fl doctor --data ~/my-ledger --jobs ~/my-jobs
  fl doctor --stage prod --json`,
    )
    .action(async (options: DoctorOptions) => exit(await doctor(options, io)));
}

async function doctor(options: DoctorOptions, io: Io): Promise<ExitCode> {
  const { stage } = options;
  if (stage !== undefined) {
    refuseLocal(stage);
    stageConfig(stage);
  }
  const { check: jobs, catalog } = await readWorkingCopy(options.jobs, stage ?? 'local', io.now());
  const needs = catalog === null ? [] : [needsCheck(stage, catalog)];
  const copy = { title: 'Working copy', checks: [stagesCheck(), jobs, ...needs] };
  const groups =
    stage === undefined ? await ofFolder(options, catalog, io) : await ofStage(stage, catalog, io);
  const all = [groups.machine, copy, groups.ledger];
  if (options.json) await writeJson(io, doctorJson(all));
  else await io.write(`${doctorText(all, io.look)}\n`);
  return exitCodeOf(all);
}

/** What jobs ask of where they run. The secrets of a stage are not looked at: who may deploy needn't be able to read them. */
function needsCheck(stage: string | undefined, { manifest: { jobs } }: Catalog): Check {
  return stage === undefined ? secretsCheck(jobs) : networksCheck(stage, jobs);
}

interface Groups {
  readonly machine: CheckGroup;
  readonly ledger: CheckGroup;
}

async function ofFolder(options: DoctorOptions, catalog: Catalog | null, io: Io): Promise<Groups> {
  const data = options.data ?? defaultDataDir;
  const dir = resolve(data);
  const folder = dataFolderCheck(data, { isNamed: options.data !== undefined });
  const lock = existsSync(dir) ? lockCheck(data, io.now()) : null;
  const machine = {
    title: 'This machine',
    checks: [nodeCheck(), emulatorCheck(), folder, ...(lock ? [lock.check] : [])],
  };
  const title = `Ledger of ${data}`;
  const why = noLedger(dir, [folder, ...(lock ? [lock.check] : [])]);
  if (why !== null) return { machine, ledger: { title, checks: [why] } };
  const how = 'npm start deploys the working copy; --jobs DIR compares with another one';
  const of = { isRunning: lock?.isRunning ?? false, catalog, how, now: io.now() };
  return { machine, ledger: { title, checks: await ledgerChecks(options, of) } };
}

/** Why there is nothing to look at. */
function noLedger(dir: string, before: readonly Check[]): Check | null {
  if (before.some(({ verdict }) => verdict === 'wrong')) return unknown('table', 'not looked at');
  if (holdsData(dir) || process.env.DYNAMODB_ENDPOINT) return null;
  return { name: 'table', verdict: 'note', says: 'there is none yet', todo: 'npm start makes it' };
}

async function ofStage(stage: string, catalog: Catalog | null, io: Io): Promise<Groups> {
  // Only here: a data folder is looked at without the credentials' part of the SDK.
  const { awsChecks } = await import('../doctor/aws.ts');
  const aws = await awsChecks(stage);
  const machine = { title: 'This machine', checks: [nodeCheck(), ...aws] };
  const title = `Ledger of stage ${stage}`;
  if (aws.some(({ verdict }) => verdict === 'wrong'))
    return { machine, ledger: { title, checks: [unknown('table', 'not looked at')] } };
  const how = `npx cdk deploy --all -c stage=${stage}`;
  const of = { isRunning: true, catalog, how, now: io.now() };
  return { machine, ledger: { title, checks: await ledgerChecks({ stage }, of) } };
}
