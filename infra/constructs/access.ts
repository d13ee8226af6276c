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

/** A job's own records and its pools, no other's, and a word to the reconciler. */
export function jobAccess(arns: StageArns, job: JobEntry, stage: string): PolicyStatement[] {
  const pools = Object.keys(job.pools ?? {}).map((name) => `pool#${name}`);
  return [
    new PolicyStatement({
      sid: 'OwnRecords',
      actions: ledgerActions,
      resources: [arns.ledger],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`job#${job.id}`, `run#${job.id}#*`, ...pools] },
      },
    }),
    new PolicyStatement({ sid: 'Nudge', actions: ['sqs:SendMessage'], resources: [arns.controlQueue] }),
    ...job.permissions.map(
      ({ actions, resources }) =>
        new PolicyStatement({
          actions: [...actions],
          resources: resources.map((resource) => resource.replaceAll('{stage}', stage)),
        }),
    ),
  ];
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
