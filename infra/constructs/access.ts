import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { metrics } from '../../functions/contract.ts';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import { secretPlace } from '../../functions/domain/secrets.ts';
import type { StageArns } from '../names.ts';
import type { Wildcards } from './explain-wildcards.ts';

/** What a job's function calls on the table. TransactWriteItems is allowed by the actions that it is made of; Scan never is. */
const jobActions = [
  'dynamodb:ConditionCheckItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];

const poolActions = ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];
/** The reconciler reads many at once as well. */
const reconcilerActions = ['dynamodb:BatchGetItem', ...jobActions];

/** A job's own records, its places at pools, no other's records, and a word to the reconciler. */
export function jobAccess(arns: StageArns, job: JobEntry, stage: string): PolicyStatement[] {
  const own = [`job#${job.id}`, `run#${job.id}#*`];
  return [
    onLedger('OwnRecords', { actions: jobActions, keys: own }, arns),
    // All pools: a run that an edit of its job's pools overtakes must still give back what it took before. Only updates are
    // needed; the others are for what else is in their transactions, and nobody who may update could do more by them.
    onLedger('Pools', { actions: poolActions, keys: [...own, 'pool#*'] }, arns),
    new PolicyStatement({ sid: 'Nudge', actions: ['sqs:SendMessage'], resources: [arns.controlQueue] }),
    ...secretAccess(arns, job, stage),
    ...(job.permissions ?? []).map(
      ({ actions, resources }) =>
        new PolicyStatement({
          actions: [...actions],
          resources: resources.map((resource) => resource.replaceAll('{stage}', stage)),
        }),
    ),
  ];
}

/** Why its policy has wildcards: the author's, as the job file has them. */
export function jobWildcards({ permissions = [] }: JobEntry, stage: string): Wildcards {
  const asked = permissions.flatMap(({ actions, resources }) => [
    ...actions.map((action) => `Action::${action}`),
    ...resources.map((resource) => `Resource::${resource.replaceAll('{stage}', stage)}`),
  ]);
  const reason =
    'The job file asks for it: it was checked for what must not be, and fl plan shows what grows.';
  return Object.fromEntries(asked.filter((one) => one.includes('*')).map((one) => [one, reason]));
}

/** Just the secrets that the job names. */
function secretAccess(arns: StageArns, { secrets = {} }: JobEntry, stage: string): PolicyStatement[] {
  const places = Object.values(secrets).map((kept) => secretPlace(kept, stage));
  const named = (service: string, arnOf: (name: string) => string) => [
    ...new Set(places.filter((place) => place.service === service).map(({ name }) => arnOf(name))),
  ];
  const secretArns = named('secrets-manager', arns.secret);
  const parameterArns = named('parameter-store', arns.parameter);
  return [
    { sid: 'Secrets', actions: ['secretsmanager:GetSecretValue'], resources: secretArns },
    { sid: 'Parameters', actions: ['ssm:GetParameter'], resources: parameterArns },
  ].flatMap((statement) => (statement.resources.length > 0 ? [new PolicyStatement(statement)] : []));
}

/**
 * What Lambda does on behalf of a function that is in a network, whose interfaces it shares among functions: it gives no
 * resources to name. The function's own code may do none of it.
 */
export function networkAccess(functionArn: string): PolicyStatement[] {
  const actions = [
    'ec2:AssignPrivateIpAddresses',
    'ec2:CreateNetworkInterface',
    'ec2:DeleteNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:UnassignPrivateIpAddresses',
  ];
  return [
    new PolicyStatement({ sid: 'Network', actions, resources: ['*'] }),
    new PolicyStatement({
      sid: 'NotByItsCode',
      effect: Effect.DENY,
      actions,
      resources: ['*'],
      conditions: { ArnEquals: { 'lambda:SourceFunctionArn': functionArn } },
    }),
  ];
}

/**
 * A transaction's keys may be judged together, so each statement names all that one may have. A request without any, of which
 * `ForAllValues` alone would say that all of them are allowed, is refused.
 */
function onLedger(
  sid: string,
  { actions, keys }: { actions: string[]; keys: string[] },
  { ledger }: StageArns,
): PolicyStatement {
  return new PolicyStatement({
    sid,
    actions,
    resources: [ledger],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    },
  });
}

/** Every record, every function of the stage, the control queue, and metrics of our namespace. */
export function reconcilerAccess(arns: StageArns): PolicyStatement[] {
  return [
    new PolicyStatement({ sid: 'Ledger', actions: reconcilerActions, resources: [arns.ledger] }),
    new PolicyStatement({ sid: 'OpenRuns', actions: ['dynamodb:Query'], resources: [arns.openRuns] }),
    new PolicyStatement({ sid: 'Offer', actions: ['lambda:InvokeFunction'], resources: [arns.functions] }),
    new PolicyStatement({
      sid: 'ControlMessages',
      actions: [
        'sqs:ChangeMessageVisibility',
        'sqs:DeleteMessage',
        'sqs:GetQueueAttributes',
        'sqs:ReceiveMessage',
        'sqs:SendMessage',
      ],
      resources: [arns.controlQueue],
    }),
    new PolicyStatement({
      sid: 'Metrics',
      actions: ['cloudwatch:PutMetricData'],
      // PutMetricData knows no resources; the namespace is what limits it.
      resources: ['*'],
      conditions: { StringEquals: { 'cloudwatch:namespace': metrics.namespace } },
    }),
  ];
}

export function reconcilerWildcards({ functions }: StageArns): Wildcards {
  return {
    [`Resource::${functions}`]: stageFunctions,
    'Resource::*': 'PutMetricData knows no resources; a condition allows one namespace.',
  };
}

export const stageFunctions =
  "The functions of one stage, of which there are more with each job: no other stage's name begins so.";
