import type { JobState, SpecVersion } from '../../domain/job-state.ts';
import type { Ledger, PauseOptions } from '../../domain/ledger.ts';
import { isInForce } from '../published.ts';
import { failedInARow, isKnown, pausedSince, specIs, unpaused } from './conditions.ts';
import type { Database } from './database.ts';
import { Changes, type Condition } from './expressions.ts';
import { jobStateOf, specItem, specVersionOf } from './items.ts';
import { jobKey, jobPartition, specPrefix } from './keys.ts';
import { logged } from './log.ts';
import { get, getAll, queryPrefix } from './read.ts';
import { crowded, type Outcome, transact, update } from './write.ts';

type JobVerbs = Pick<Ledger, 'countStray' | 'job' | 'jobs' | 'specs' | 'publish' | 'setPause'>;

/** The verbs of jobs: their state and the versions of their schedules. */
export function jobVerbs(db: Database): JobVerbs {
  return {
    async countStray(jobId, refusedFire) {
      await changeJob(db, jobId, new Changes().setAll({ refusedFire }).add('strays', 1));
    },
    async job(jobId) {
      const item = await get(db, jobKey(jobId));
      return item && jobStateOf(item);
    },
    async jobs(jobIds) {
      const items = await getAll(db, [...new Set(jobIds)].map(jobKey));
      return new Map(items.map(jobStateOf).map((job) => [job.jobId, job]));
    },
    specs: (jobId) => readSpecs(db, jobId),
    publish: (version, replaces) => publish(db, version, replaces),
    setPause: (jobId, pause, options) => setPause(db, jobId, pause, options),
  };
}

async function setPause(
  db: Database,
  jobId: string,
  pause: JobState['paused'] | null,
  { require, action }: PauseOptions = {},
): Promise<boolean> {
  const changes =
    pause === null
      ? new Changes().remove('paused').set('failuresInARow', 0)
      : new Changes().set('paused', pause);
  const conditions = pauseConditions(require);
  if (action === undefined) return changeJob(db, jobId, changes, conditions);
  const change = { ...changes.under(isKnown, ...conditions), Key: jobKey(jobId), TableName: db.table };
  return isDone(jobId, await transact(db, [{ Update: change }, logged(db, action)]));
}

function pauseConditions(require: PauseOptions['require']): Condition[] {
  if (require === undefined) return [];
  return 'pausedAt' in require
    ? [pausedSince(require.pausedAt)]
    : [unpaused, failedInARow(require.failuresInARow)];
}

async function changeJob(
  db: Database,
  jobId: string,
  changes: Changes,
  conditions: readonly Condition[] = [],
): Promise<boolean> {
  return isDone(jobId, await update(db, { Key: jobKey(jobId), ...changes.under(isKnown, ...conditions) }));
}

function isDone(jobId: string, outcome: Outcome): boolean {
  if (outcome.kind === 'conflict') throw new Error(`The state of ${jobId} could not be written: ${crowded}`);
  return outcome.kind === 'done';
}

async function readSpecs(db: Database, jobId: string): Promise<SpecVersion[]> {
  return (await queryPrefix(db, jobPartition(jobId), specPrefix)).map(specVersionOf);
}

async function publish(
  db: Database,
  version: SpecVersion,
  replaces: string | null,
): Promise<'done' | 'refused'> {
  const { jobId, from, spec, specId } = version;
  const changes = new Changes().set('specSince', from).set('specChanged', replaces !== null);
  if (spec === null) changes.remove('specId');
  else changes.set('specId', specId);
  const outcome = await transact(db, [
    { Put: { TableName: db.table, Item: specItem(version) } },
    { Update: { TableName: db.table, Key: jobKey(jobId), ...changes.under(specIs(replaces)) } },
  ]);
  if (outcome.kind === 'conflict')
    throw new Error(`A schedule of ${jobId} could not be published: ${crowded}`);
  if (outcome.kind === 'done') return 'done';
  const state = outcome.items[1];
  return state && isInForce(version, jobStateOf(state)) ? 'done' : 'refused';
}
