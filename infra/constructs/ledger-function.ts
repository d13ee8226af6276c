import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  CfnFunction,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Duration } from 'aws-cdk-lib/core';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Vpc } from '../../functions/config.ts';
import { env, tableName } from '../../functions/contract.ts';
import { logGroupName } from '../../functions/domain/names.ts';
import { controlQueueUrl, functionArn, logStreamsArn } from '../names.ts';
import type { Stage } from '../stage.ts';
import { networkAccess } from './access.ts';
import { explainWildcards, type Wildcards } from './explain-wildcards.ts';

export interface LedgerFunctionProps {
  readonly stage: Stage;
  readonly name: string;
  readonly description: string;
  /** A folder with index.js. */
  readonly bundleDir: string;
  readonly timeout: Duration;
  readonly memoryMb: number;
  /** @default none besides fireledger's own, which win */
  readonly environment?: Readonly<Record<string, string>>;
  /** What its role may do besides writing its log. */
  readonly access: readonly PolicyStatement[];
  /** Why `access` has wildcards. @default - it has none */
  readonly wildcards?: Wildcards;
  /** How long Lambda may keep an accepted event before it starts it. */
  readonly eventAge: Duration;
  /** The network that it is in. @default none */
  readonly vpc?: Vpc | undefined;
  /** The queue that gets the records of failed invocations. @default - they are dropped */
  readonly failureQueueArn?: string;
}

/**
 * A Lambda function of the ledger: its role with inline policies, its log with an end, no retries of Lambda's own, and
 * no recursion guard, which would cut a chain of offers after 16 hops. Four resources.
 */
export class LedgerFunction extends Construct {
  readonly arn: string;
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: LedgerFunctionProps) {
    super(scope, id);
    const { stage, name, failureQueueArn } = props;
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: logGroupName(name),
      retention: stage.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: name,
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(props.bundleDir),
      role: this.role(props),
      timeout: props.timeout,
      memorySize: props.memoryMb,
      environment: { ...props.environment, ...ledgerEnvironment(stage) },
      logGroup,
      recursiveLoop: RecursiveLoop.ALLOW,
      retryAttempts: 0,
      maxEventAge: props.eventAge,
      ...(failureQueueArn === undefined
        ? {}
        : { onFailure: { bind: () => ({ destination: failureQueueArn }) } }),
    });
    this.arn = this.lambda.functionArn;
    withoutNeedlessWait(this.lambda);
    if (props.vpc !== undefined) enter(this.lambda, props.vpc);
  }

  private role({ name, access, vpc, wildcards = {} }: LedgerFunctionProps): Role {
    const stack = Stack.of(this);
    const streams = logStreamsArn(stack, name);
    const writeLog = new PolicyStatement({
      sid: 'Log',
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [streams],
    });
    const network = vpc === undefined ? [] : networkAccess(functionArn(stack, name));
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { fireledger: new PolicyDocument({ statements: [writeLog, ...network, ...access] }) },
    });
    explainWildcards(role, {
      ...wildcards,
      [`Resource::${streams}`]: 'The streams of its one log group, which Lambda names.',
      ...(vpc && {
        'Resource::*': "Lambda's way into a network takes all; the function's own code is denied it.",
      }),
    });
    return role;
  }
}

/** The CDK has a function wait for its role's policies by name; ours are part of the role, which it refers to. */
function withoutNeedlessWait({ node }: LambdaFunction): void {
  if (node.defaultChild instanceof CfnFunction) node.defaultChild.addDeletionOverride('DependsOn');
}

/** By ids alone: the CDK's own option wants the network to be looked up, or more said of it. */
function enter({ node }: LambdaFunction, { subnetIds, securityGroupIds }: Vpc): void {
  if (node.defaultChild instanceof CfnFunction)
    node.defaultChild.vpcConfig = { subnetIds: [...subnetIds], securityGroupIds: [...securityGroupIds] };
}

function ledgerEnvironment(stage: Stage): Record<string, string> {
  return {
    [env.table]: tableName(stage.name),
    [env.stage]: stage.name,
    [env.controlQueueUrl]: controlQueueUrl(stage.name),
    [env.retentionDays]: String(stage.retentionDays),
    NODE_OPTIONS: '--enable-source-maps',
  };
}
