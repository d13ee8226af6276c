import { stageNames } from '../config.ts';
import { tableName } from '../contract.ts';

/** What fireledger itself rests on. `of`: the last parts of ARNs, with `*` as in a policy. */
interface Own {
  readonly service: string;
  readonly of: (stage: string) => readonly string[];
  readonly why: string;
}

const own: readonly Own[] = [
  {
    service: 'dynamodb',
    of: (stage) => [`table/${tableName(stage)}`, `table/${tableName(stage)}/*`],
    why: "reaches the ledger's own table: a job has its own records without it, and must not touch others'",
  },
  {
    service: 'sqs',
    of: (stage) => [`fireledger-${stage}-control`, `fireledger-${stage}-unreadable`],
    why: 'reaches the control queue: a job nudges the reconciler without it, and must not take what others say',
  },
  {
    service: 'lambda',
    of: (stage) => [`function:fireledger-${stage}-*`],
    why: "reaches the stage's functions: what is started past the ledger is refused, and what is changed there is nobody's code",
  },
  {
    service: 'scheduler',
    of: (stage) => [`schedule/fireledger-${stage}/*`, `schedule-group/fireledger-${stage}`],
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
  if (service === 'sts' && mayAssume(verb) && isAnyRole(resource))
    return `with ${action} lets it become any role that allows it; name the role`;
  if (service === 'sts' && mayAssume(verb) && isOwnRole(resource)) return `with ${action} ${asOurRole}`;
  const reached = own.find((one) => one.service === service && reaches(resource, one));
  return reached === undefined ? null : `with ${action} ${reached.why}`;
}

function ofIam(verb: string, resource: string): string | null {
  if (/^(Get|Simulate|Generate)/.test(verb)) return null;
  if (verb === 'PassRole' && isOwnRole(resource) && !isAnyRole(resource))
    return `with iam:${verb} ${asOurRole}`;
  if (verb === 'PassRole' && !isAnyRole(resource)) return null;
  return `with iam:${verb} lets it give itself, or others, any right; leave that to whoever deploys`;
}

const asOurRole = "lets it act as a role of the stage's: what a job may do is for its file to say";

/** IAM reads actions without regard to case, and `As*` as AssumeRole, too. */
function mayAssume(verb: string): boolean {
  const [start = ''] = verb.toLowerCase().split('*');
  return start.startsWith('assume') || (verb.endsWith('*') && 'assumerole'.startsWith(start));
}

/** One that a stack of fireledger's makes. */
function isOwnRole(resource: string): boolean {
  return stageNames.some((stage) =>
    overlap(lastPart(resource.replaceAll('{stage}', stage)), `role/fireledger-${stage}-*`),
  );
}

/** No role is named. */
function isAnyRole(resource: string): boolean {
  return /^(\*|role\/\*.*)$/.test(lastPart(resource));
}

function reaches(resource: string, { of }: Own): boolean {
  return stageNames.some((stage) => {
    const wanted = lastPart(resource.replaceAll('{stage}', stage));
    return of(stage).some((pattern) => overlap(wanted, pattern));
  });
}

/** Whether there is a text that both patterns match. */
function overlap(one: string, other: string): boolean {
  const [first, second] = [one[0], other[0]];
  if (first === '*')
    return overlap(one.slice(1), other) || (second !== undefined && overlap(one, other.slice(1)));
  if (second === '*') return overlap(other, one);
  if (first === undefined || second === undefined) return first === second;
  return (first === second || first === '?' || second === '?') && overlap(one.slice(1), other.slice(1));
}

function lastPart(resource: string): string {
  return resource === '*' ? resource : resource.split(':').slice(5).join(':');
}
