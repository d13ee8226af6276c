import type { ManifestJob } from '../functions/domain/manifest.ts';
import { compileAlarms } from '../functions/domain/schedule/index.ts';
import type { Stage } from './stage.ts';

/** What an account has until it asks for more, all that is in it together. */
const roles = 1_000;
const concurrency = 1_000;
const alarmsASecond = 1_000;
/** As many as IAM grants. */
const mostRoles = 5_000;

export interface QuotaFinding {
  /** `warning`: the deploy fails unless the account got more. */
  readonly kind: 'info' | 'warning';
  readonly text: string;
}

/** What a stage takes of its account's quotas. Null: less than half of any of them. */
export function quotaFinding(
  { name }: Pick<Stage, 'name'>,
  jobs: readonly ManifestJob[],
): QuotaFinding | null {
  // Besides: the reconciler's role and the alarms'; the reconciler and its log; its minute.
  const own = { roles: jobs.length + 2, functions: jobs.length + 1, alarms: alarmsOf(jobs) + 1 };
  if (own.roles <= roles / 2) return null;
  const takes =
    `Stage ${name} takes ${inWords(own.roles)} IAM roles, ${inWords(own.functions)} functions with a log group each, ` +
    `and ${inWords(own.alarms)} schedules.`;
  const has =
    `An account begins with ${inWords(roles)} roles, ${inWords(concurrency)} concurrent executions of Lambda (a new one with 10), ` +
    `and ${inWords(alarmsASecond)} invocations a second of EventBridge Scheduler (500 in small regions), all stages and applications together.`;
  const ask =
    own.roles > roles
      ? `Before you deploy, ask Service Quotas for "Roles per account" of ${inWords(Math.min(mostRoles, roundedUp(own.roles)))}` +
        `${own.roles > mostRoles ? ', which is all that IAM grants: spread the stages over accounts' : ''}; ` +
        'and for as many concurrent executions as jobs are due at the same time.'
      : 'Service Quotas shows what is left, and takes requests.';
  return { kind: own.roles > roles ? 'warning' : 'info', text: `${takes} ${has} ${ask}` };
}

function alarmsOf(jobs: readonly ManifestJob[]): number {
  return jobs.reduce((sum, { spec }) => sum + compileAlarms(spec).alarms.length, 0);
}

/** With a fifth to spare. */
function roundedUp(count: number): number {
  return Math.ceil((count * 1.2) / 500) * 500;
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}
