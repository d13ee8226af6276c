import type { SpecVersion } from '../../domain/job-state.ts';
import type { Ledger } from '../../domain/ledger.ts';
import { isInForce } from '../published.ts';
import { failedInARow, isKnown, specIs, unpaused } from './conditions.ts';
import type { Database } from './database.ts';
import { Changes, type Condition } from './expressions.ts';
import { jobStateOf, specItem, specVersionOf } from './items.ts';
import { jobKey, jobPartition, specPrefix } from './keys.ts';
import { get, getAll, queryPrefix } from './read.ts';
import { crowded, transact, update } from './write.ts';

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
    setPause: (jobId, pause, require) => {
      const changes =
        pause === null
          ? new Changes().remove('paused').set('failuresInARow', 0)
          : new Changes().set('paused', pause);
      const conditions = require === undefined ? [] : [unpaused, failedInARow(require.failuresInARow)];
      return changeJob(db, jobId, changes, conditions);
    },
  };
}

async function changeJob(
  db: Database,
  jobId: string,
  changes: Changes,
  conditions: readonly Condition[] = [],
): Promise<boolean> {
  const outcome = await update(db, { Key: jobKey(jobId), ...changes.under(isKnown, ...conditions) });
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
