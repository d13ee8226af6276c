import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { expect, test } from 'vitest';
import { exampleTableNames } from '../../functions/example/tables.ts';
import { ExampleStack } from '../../infra/stacks/example/example-stack.ts';
import { stageNamed } from '../../infra/stage.ts';

function tablesOf(stage: string) {
  // The validation takes seconds; the test of the whole app has it on.
  const app = new App({ builtinCloudFormationValidation: false });
  const template = Template.fromStack(new ExampleStack(app, stageNamed(stage)));
  return Object.values(template.findResources('AWS::DynamoDB::Table'));
}

test('every table of the example app is deployed under its name, on demand', () => {
  const tables = tablesOf('dev').map(({ Properties }) => Properties);
  expect(tables.map(({ TableName }) => TableName)).toEqual(
    exampleTableNames.map((name) => `fireledger-dev-example-${name}`),
  );
  expect(new Set(tables.map(({ BillingMode }) => BillingMode))).toEqual(new Set(['PAY_PER_REQUEST']));
});

test.each([
  ['dev', { DeletionPolicy: 'Delete', isProtected: false, isRecoverable: false }],
  ['prod', { DeletionPolicy: 'Retain', isProtected: true, isRecoverable: true }],
])('in %s, what becomes of the tables follows the stage', (stage, expected) => {
  for (const { DeletionPolicy, Properties } of tablesOf(stage)) {
    expect({
      DeletionPolicy,
      isProtected: Properties.DeletionProtectionEnabled,
      isRecoverable: Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
    }).toEqual(expected);
  }
});
