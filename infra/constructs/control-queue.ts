import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { controlQueueName, unreadableQueueName } from '../../functions/contract.ts';

/** So often a message is tried before it counts as unreadable. */
const tries = 5;
const secured = { enforceSSL: true, encryption: QueueEncryption.SQS_MANAGED } as const;

export interface ControlQueueProps {
  readonly stage: string;
  /** How long the reconciler may work on what it has taken. */
  readonly consumerTimeout: Duration;
}

/** Dead letters, failure records and nudges for the reconciler, and a second queue for what it can't read. */
export class ControlQueue extends Construct {
  readonly messages: Queue;
  readonly unreadable: Queue;

  constructor(scope: Construct, id: string, { stage, consumerTimeout }: ControlQueueProps) {
    super(scope, id);
    this.unreadable = new Queue(this, 'Unreadable', {
      ...secured,
      queueName: unreadableQueueName(stage),
      retentionPeriod: Duration.days(14),
    });
    this.messages = new Queue(this, 'Messages', {
      ...secured,
      queueName: controlQueueName(stage),
      // Lambda asks for six times the consumer's timeout: a throttled batch must not look unreadable.
      visibilityTimeout: Duration.seconds(6 * consumerTimeout.toSeconds()),
      deadLetterQueue: { queue: this.unreadable, maxReceiveCount: tries },
    });
  }
}
