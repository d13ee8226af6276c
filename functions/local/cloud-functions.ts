import { join } from 'node:path';
import type { Bundles, Catalog } from '../catalog/index.ts';
import { type StageConfig, stageConfig } from '../config.ts';
import { env, killMarginMs, noticesTopicEnv, tableName } from '../contract.ts';
import { functionName, reconcilerName } from '../domain/names.ts';
import { eventAgeMs } from '../domain/offer.ts';
import { alarmTimetable, compileAlarms, cron, timetable } from '../domain/schedule/index.ts';
import { minute } from '../domain/time.ts';
import { fixtureOriginVariable } from '../example/addresses.ts';
import type { Alarmed } from './alarm-clock.ts';
import type { FunctionOptions } from './lambda/contract.ts';

export const localStage = 'local';
export const controlQueue = `fireledger-${localStage}-control`;
/** What is published there is shown. */
const noticesTopic = `arn:aws:sns:us-east-1:000000000000:fireledger-${localStage}-notices`;
export const reconcilerFunction = reconcilerName(localStage);

/** This machine is one stack. */
export function jobFunction(jobId: string): string {
  return functionName(localStage, jobId, 1);
}

/** What rings: a job, or the reconciler's minute. */
export type Target = { readonly jobId: string } | 'sweep';

/** As in the template: a minute for a sweep, the same variables, a margin above each job's own timeout. */
export function lambdaFunctions(
  catalog: Catalog,
  bundles: Bundles,
  { endpointUrl, fixtureOrigin }: { endpointUrl: string; fixtureOrigin: string | null },
): Record<string, FunctionOptions> {
  const variables = stageVariables(stageConfig(localStage), endpointUrl);
  const outside = fixtureOrigin === null ? {} : { [fixtureOriginVariable]: fixtureOrigin };
  const jobs = catalog.manifest.jobs.map((job): [string, FunctionOptions] => [
    jobFunction(job.id),
    {
      bundle: join(bundles.functions[job.id]?.dir ?? '', 'index.js'),
      env: { ...job.environment, ...outside, ...variables },
      timeoutMs: job.timeoutMs + killMarginMs,
      memoryMb: job.memoryMb,
      maxEventAgeMs: eventAgeMs(job.graceMs),
    },
  ]);
  const reconciler: FunctionOptions = {
    bundle: join(bundles.reconciler.dir, 'index.js'),
    env: { ...variables, [noticesTopicEnv]: noticesTopic },
    timeoutMs: minute,
    memoryMb: 512,
    maxEventAgeMs: minute,
  };
  return Object.fromEntries([...jobs, [reconcilerFunction, reconciler]]);
}

function stageVariables({ retentionDays }: StageConfig, endpointUrl: string): Record<string, string> {
  return {
    [env.table]: tableName(localStage),
    [env.stage]: localStage,
    [env.controlQueueUrl]: controlQueueUrl(endpointUrl),
    [env.retentionDays]: String(retentionDays),
  };
}

/** `endpointUrl`: where AWS is, as far as the functions know. */
export function controlQueueUrl(endpointUrl: string): string {
  return `${endpointUrl}/000000000000/${controlQueue}`;
}

/** The compiled alarms of every job, as EventBridge would fire them, and the reconciler's minute. */
export function alarmsOf(catalog: Catalog): Alarmed<Target>[] {
  const jobs = catalog.manifest.jobs.flatMap((job) =>
    compileAlarms(job.spec).alarms.map((alarm) => ({
      target: { jobId: job.id },
      timetable: alarmTimetable(alarm),
      eventAgeMs: eventAgeMs(job.graceMs),
    })),
  );
  return [...jobs, { target: 'sweep', timetable: everyMinute, eventAgeMs: minute }];
}

const everyMinute = timetable({ schedules: [cron('* * * * *')], timezone: 'UTC' });
