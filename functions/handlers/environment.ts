import { env, noticesTopicEnv } from '../contract.ts';
import { day } from '../domain/time.ts';

/** What the template tells a deployed function about its stage. */
export interface Environment {
  readonly table: string;
  readonly stage: string;
  readonly controlQueueUrl: string;
  readonly retentionMs: number;
}

/** @throws when it is missing */
export function noticesTopicArn(given: Readonly<Record<string, string | undefined>>): string {
  const arn = given[noticesTopicEnv];
  if (!arn)
    throw new Error(`missing environment: ${noticesTopicEnv}; the template sets it, so deploy it again`);
  return arn;
}

/** @throws naming every variable that is missing or unreadable */
export function readEnvironment(given: Readonly<Record<string, string | undefined>>): Environment {
  const missing = Object.values(env).filter((name) => !given[name]);
  if (missing.length > 0)
    throw new Error(`missing environment: ${missing.join(', ')}; the template sets them, so deploy it again`);
  const retentionDays = Number(given[env.retentionDays]);
  if (!Number.isInteger(retentionDays) || retentionDays < 1)
    throw new Error(
      `${env.retentionDays} is "${given[env.retentionDays]}"; allowed is a whole number of days from 1`,
    );
  return {
    table: given[env.table] ?? '',
    stage: given[env.stage] ?? '',
    controlQueueUrl: given[env.controlQueueUrl] ?? '',
    retentionMs: retentionDays * day,
  };
}
