import { vpcName } from '../config.ts';
import type { Permission } from '../domain/manifest.ts';
import { dangerOf } from './check-dangers.ts';
import { isPlainObject, nonEmptyList, refuseUnknownKeys, wholeNumber } from './check-shape.ts';
import { type Findings, kindOf, type Refuse, shown } from './problem.ts';

export function checkMemory(value: unknown, refuse: Refuse): number | undefined {
  return value === undefined ? 256 : wholeNumber('memory', value, [128, 10_240], ' of megabytes', refuse);
}

/** Lambda allows 4096 bytes; the rest is for the variables that fireledger sets. */
const longestEnvironment = 3_072;
const reservedByLambda = ['_HANDLER', '_X_AMZN_TRACE_ID', 'LAMBDA_TASK_ROOT', 'LAMBDA_RUNTIME_DIR'];

/** Values are never shown: they may be secrets. */
export function checkEnvironment(
  value: unknown,
  { report }: Findings,
): Readonly<Record<string, string>> | undefined {
  if (value === undefined) return {};
  if (!isPlainObject(value)) {
    report(
      'environment',
      `environment: is ${kindOf(value)}; allowed is an object of texts, such as { REGION: 'eu' }`,
    );
    return undefined;
  }
  const checked: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    const problem = nameProblem(name);
    if (problem !== null) report('environment', `environment: the name ${shown(name)} ${problem}`);
    if (typeof text === 'string') checked[name] = text;
    else
      report(`environment.${name}`, `environment.${name}: the value is ${kindOf(text)}; allowed is a text`);
  }
  const bytes = Buffer.byteLength(Object.entries(checked).flat().join(''));
  if (bytes > longestEnvironment)
    report(
      'environment',
      `environment: has ${bytes} bytes in all; at most ${longestEnvironment} are allowed`,
    );
  return checked;
}

function nameProblem(name: string): string | null {
  if (reservedByLambda.includes(name)) return 'is reserved by Lambda; choose another';
  if (name.startsWith('AWS_')) return 'is reserved by AWS; names that begin with AWS_ are not allowed';
  if (name.startsWith('FIRELEDGER_'))
    return 'is reserved by fireledger; names that begin with FIRELEDGER_ are not allowed';
  if (!/^[A-Za-z][A-Za-z0-9_]+$/.test(name))
    return 'is not allowed; allowed is a letter, then at least one of letters, digits and "_"';
  return null;
}

/** The name of a network; whether a stage has one of that name is known only when it is deployed. */
export function checkVpc(value: unknown, refuse: Refuse): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && vpcName.test(value)) return value;
  refuse(
    'vpc',
    value,
    'is not allowed; allowed is the name of one of a stage\'s vpcs in functions/config.ts, such as "main"',
  );
  return undefined;
}

/** IAM allows 10,240 in all of a role's policies; the rest is for what every job's has, and for its secrets. */
const longestPermissions = 5_000;

/** Rights of the job's own role. Undefined when there are none, or when something was refused. */
export function checkPermissions(value: unknown, refuse: Refuse): readonly Permission[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) {
    const checked = value.map((item, index) => permission(`permissions[${index}]`, item, refuse));
    const { length } = JSON.stringify(checked);
    if (length > longestPermissions)
      refuse(
        'permissions',
        value,
        `has ${length} characters; at most ${longestPermissions} are allowed, since IAM bounds a role's policies. One "*" may stand for several`,
      );
    return checked;
  }
  refuse('permissions', value, 'is not allowed; allowed is a list of { actions: […], resources: […] }');
  return undefined;
}

function permission(where: string, value: unknown, refuse: Refuse): Permission {
  if (!isPlainObject(value)) {
    refuse(where, value, 'is not allowed; allowed is { actions: […], resources: […] }');
    return { actions: [], resources: [] };
  }
  refuseUnknownKeys(where, value, ['actions', 'resources'], refuse);
  const actions = texts(`${where}.actions`, value.actions, 'IAM actions', actionProblem, refuse);
  const onlyExact = !actions.some((action) => action.endsWith('*'));
  const problem = (resource: string) =>
    resourceProblem(resource, onlyExact) ?? firstOf(actions, (action) => dangerOf(action, resource));
  return { actions, resources: texts(`${where}.resources`, value.resources, 'ARNs', problem, refuse) };
}

function firstOf<T>(items: readonly T[], of: (item: T) => string | null): string | null {
  return items.map(of).find((found) => found !== null) ?? null;
}

function texts(
  where: string,
  value: unknown,
  what: string,
  problemOf: (text: string) => string | null,
  refuse: Refuse,
): string[] {
  return nonEmptyList(where, value, what, refuse).flatMap((item, index) => {
    const problem = typeof item === 'string' ? problemOf(item) : 'is not a text';
    if (problem !== null) refuse(`${where}[${index}]`, item, problem);
    return typeof item === 'string' ? [item] : [];
  });
}

function actionProblem(action: string): string | null {
  if (/^[a-z][a-z0-9-]*:[A-Z][A-Za-z0-9]*\*?$/.test(action)) return null;
  if (/^([a-z0-9-]+:)?\*$/.test(action))
    return 'would allow everything; name the actions, such as "dynamodb:GetItem" or "dynamodb:Get*"';
  return 'is not an IAM action; write one such as "dynamodb:GetItem" or "dynamodb:Get*"';
}

/** Some actions, such as ec2:DescribeInstances, know no resources: those must be spelled out to be granted on "*". */
function resourceProblem(resource: string, onlyExactActions: boolean): string | null {
  if (resource === '*')
    return onlyExactActions ? null : 'is allowed only together with actions that are written without "*"';
  if (/^arn:[^\s:]+:[a-z][a-z0-9-]*:[^\s:]*:[^\s:]*:\S+$/.test(resource)) return null;
  return 'is not an ARN; write one such as "arn:aws:dynamodb:*:*:table/payments"';
}
