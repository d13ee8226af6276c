import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import {
  type ExampleTable,
  type ExampleTableName,
  exampleTableName,
  exampleTableNames,
  exampleTables,
} from '../../../functions/example/tables.ts';
import { type Stage, stackProps } from '../../stage.ts';

/** The tables that the example jobs work on. Goes when the examples go. */
export class ExampleStack extends Stack {
  constructor(scope: Construct, stage: Stage) {
    super(scope, 'Example', stackProps(stage, 'example', 'tables of the example jobs'));
    for (const table of exampleTableNames) this.addTable(table, stage);
  }

  private addTable(name: ExampleTableName, stage: Stage): void {
    const { partitionKey, sortKey, ttl }: ExampleTable = exampleTables[name];
    const isKept = stage.removal === 'retain';
    const table = new Table(this, name, {
      tableName: exampleTableName(stage.name, name),
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      ...(sortKey && { sortKey: { name: sortKey, type: AttributeType.STRING } }),
      ...(ttl && { timeToLiveAttribute: ttl }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isKept },
      deletionProtection: stage.deletionProtection,
      removalPolicy: isKept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    if (!isKept)
      Validations.of(table).acknowledge({
        id: 'AwsSolutions-DDB3',
        reason: 'Data of the examples, in a stage that is thrown away with them: nobody would restore them.',
      });
  }
}
