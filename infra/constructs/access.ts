import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { metrics } from '../../functions/contract.ts';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import type { StageArns } from '../names.ts';

/** What the store calls on the table. TransactWriteItems is allowed by the actions that it is made of; Scan never is. */
const ledgerActions = [
  'dynamodb:BatchGetItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];

/** A job's own records, its places at pools, no other's records, and a word to the reconciler. */
export function jobAccess(arns: StageArns, job: JobEntry, stage: string): PolicyStatement[] {
  const own = [`job#${job.id}`, `run#${job.id}#*`];
  return [
    onLedger('OwnRecords', { actions: ledgerActions, keys: own }, arns),
    // All pools: a run that an edit of its job's pools overtakes must still give back what it took before.
    onLedger('Pools', { actions: ['dynamodb:UpdateItem'], keys: [...own, 'pool#*'] }, arns),
    new PolicyStatement({ sid: 'Nudge', actions: ['sqs:SendMessage'], resources: [arns.controlQueue] }),
    ...(job.permissions ?? []).map(
      ({ actions, resources }) =>
        new PolicyStatement({
          actions: [...actions],
          resources: resources.map((resource) => resource.replaceAll('{stage}', stage)),
        }),
    ),
  ];
}

/** A transaction's keys are judged together, so each statement names all that one may have. */
function onLedger(
  sid: string,
  { actions, keys }: { actions: string[]; keys: string[] },
  { ledger }: StageArns,
): PolicyStatement {
  return new PolicyStatement({
    sid,
    actions,
    resources: [ledger],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  });
}

/** Every record, every function of the stage, the control queue, and metrics of our namespace. */
export function reconcilerAccess(arns: StageArns): PolicyStatement[] {
  return [
    new PolicyStatement({ sid: 'Ledger', actions: ledgerActions, resources: [arns.ledger] }),
    new PolicyStatement({ sid: 'OpenRuns', actions: ['dynamodb:Query'], resources: [arns.ledgerIndexes] }),
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
