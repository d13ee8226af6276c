import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Aws, CfnOutput, Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { noticesTopicName } from '../names.ts';

/** SNS encrypts with the key of whoever publishes. */
const keyActions = ['kms:Decrypt', 'kms:GenerateDataKey'];
const ofThisAccount = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };

/**
 * The one topic of a stage: what the reconciler has to tell people, and its alerts. Who wants to be told subscribes. The key
 * is its own, since CloudWatch can't publish under the one that AWS manages for SNS.
 */
export class NoticesTopic extends Topic {
  /** What an alert does. */
  readonly action: SnsAction;
  readonly #key: Key;

  constructor(scope: Construct, id: string, stage: string) {
    const key = new Key(scope, `${id}Key`, {
      description: `Encrypts what people are told of fireledger, stage ${stage}`,
      enableKeyRotation: true,
      pendingWindow: Duration.days(7),
      // It is of no use without its topic: SNS keeps nothing once it is delivered.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    super(scope, id, {
      topicName: noticesTopicName(stage),
      displayName: `fireledger ${stage}`,
      enforceSSL: true,
      masterKey: key,
    });
    this.#key = key;
    this.action = new SnsAction(this);
    this.letAlertsPublish();
    new CfnOutput(this, 'Arn', {
      description: 'Who wants to be told subscribes to it',
      value: this.topicArn,
    });
  }

  private letAlertsPublish(): void {
    const principals = [new ServicePrincipal('cloudwatch.amazonaws.com')];
    const alerts = { sid: 'Alerts', principals, conditions: ofThisAccount };
    this.addToResourcePolicy(
      new PolicyStatement({ ...alerts, actions: ['sns:Publish'], resources: [this.topicArn] }),
    );
    this.#key.addToResourcePolicy(new PolicyStatement({ ...alerts, actions: keyActions, resources: ['*'] }));
  }

  /** What a role needs to publish to it, and to nothing else. */
  publishing(): PolicyStatement[] {
    return [
      new PolicyStatement({ sid: 'Notices', actions: ['sns:Publish'], resources: [this.topicArn] }),
      new PolicyStatement({ sid: 'NoticesKey', actions: keyActions, resources: [this.#key.keyArn] }),
    ];
  }
}
