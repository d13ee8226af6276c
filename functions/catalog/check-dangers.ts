import { stageNames } from '../config.ts';
import { tableName } from '../contract.ts';

/** What fireledger itself rests on, by the last part of its ARN. */
interface Own {
  readonly service: string;
  readonly of: (stage: string) => readonly string[];
  readonly why: string;
}

const own: readonly Own[] = [
  {
    service: 'dynamodb',
    of: (stage) => [`table/${tableName(stage)}`, `table/${tableName(stage)}/index/open`],
    why: "reaches the ledger's own table: a job has its own records without it, and must not touch others'",
  },
  {
    service: 'sqs',
    of: (stage) => [`fireledger-${stage}-control`, `fireledger-${stage}-unreadable`],
    why: 'reaches the control queue: a job nudges the reconciler without it, and must not take what others say',
  },
  {
    service: 'lambda',
    of: (stage) => [`function:fireledger-${stage}-1-job`, `function:fireledger-${stage}-_reconciler`],
    why: "reaches the stage's functions: what is started past the ledger is refused, and what is changed there is nobody's code",
  },
  {
    service: 'scheduler',
    of: (stage) => [`schedule/fireledger-${stage}/job.1`, `schedule-group/fireledger-${stage}`],
    why: "reaches the stage's alarms: when a job is due is for its file to say",
  },
];

/** Names what there is, and changes nothing. */
const harmless = /^[a-z0-9-]+:(List|Describe)/;

/** Why no job may be allowed to do so, or null. `resource`: an ARN or `*`, as it stands in a job file. */
export function dangerOf(action: string, resource: string): string | null {
  if (harmless.test(action)) return null;
  const [service = '', verb = ''] = action.split(':');
  if (service === 'iam') return ofIam(verb, resource);
  if (service === 'sts' && verb.startsWith('Assume') && isAnyRole(resource))
    return `with ${action} lets it become any role that allows it; name the role`;
  const reached = own.find(
    (one) =>
      one.service === service && stageNames.some((stage) => one.of(stage).some(reachedBy(resource, stage))),
  );
  return reached === undefined ? null : `with ${action} ${reached.why}`;
}

function ofIam(verb: string, resource: string): string | null {
  if (/^(Get|Simulate|Generate)/.test(verb)) return null;
  if (verb === 'PassRole' && !isAnyRole(resource)) return null;
  return `with iam:${verb} lets it give itself, or others, any right; leave that to whoever deploys`;
}

/** No role is named. */
function isAnyRole(resource: string): boolean {
  return /^(\*|role\/\*.*)$/.test(lastPart(resource));
}

function reachedBy(resource: string, stage: string): (target: string) => boolean {
  const wanted = lastPart(resource.replaceAll('{stage}', stage));
  const pattern = new RegExp(
    `^${wanted
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );
  // Of functions and schedules one pattern stands for all of a stage, so what begins as theirs is theirs.
  return (target) =>
    pattern.test(target) || (!wanted.startsWith('table/') && beginsAs(wanted, target, stage));
}

function beginsAs(wanted: string, target: string, stage: string): boolean {
  const stem = `fireledger-${stage}`;
  const upTo = target.slice(0, target.indexOf(stem) + stem.length);
  const next = wanted.at(upTo.length);
  return !isQueue(target) && wanted.startsWith(upTo) && (next === '-' || next === '/' || next === undefined);
}

/** Queues of others may well begin so. */
function isQueue(target: string): boolean {
  return !target.includes(':') && !target.includes('/');
}

function lastPart(resource: string): string {
  return resource === '*' ? resource : resource.split(':').slice(5).join(':');
}
