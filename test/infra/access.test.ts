import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { table } from '../../functions/contract.ts';
import { jobKey, poolKey, runKey, stepKey } from '../../functions/store/dynamodb/keys.ts';
import { isAllowed, list, type Statement, statementsOf } from './iam.ts';
import { type Resource, root, type Synthesised, synthesise } from './synthesised.ts';

let dev: Synthesised;
beforeAll(async () => {
  dev = await synthesise('dev');
});
afterAll(() => dev?.dispose());

const here = 'eu-central-1:111122223333';
const ledger = `arn:aws:dynamodb:${here}:table/fireledger-dev`;
const controlQueue = `arn:aws:sqs:${here}:fireledger-dev-control`;
const functionArn = (name: string) => `arn:aws:lambda:${here}:function:${name}`;

/** The statements of the role of the function of that name. */
function accessOf(functionName: string): Statement[] {
  const found = dev
    .resources('AWS::Lambda::Function')
    .find((each) => each.properties.FunctionName === functionName);
  const role = dev.resources('AWS::IAM::Role').find((each) => `<${each.id}.Arn>` === found?.properties.Role);
  if (role === undefined) throw new Error(`${functionName} has no role`);
  return statementsOf(role);
}

function alarmRole(): Resource {
  const role = dev
    .resources('AWS::IAM::Role', 'Ledger')
    .find(({ properties }) => properties.RoleName !== undefined);
  if (role === undefined) throw new Error('There is no role for alarms');
  return role;
}

/** What the store sends, as IAM calls it: transactions are allowed by the actions that they are made of. */
function storeActions(): Set<string> {
  const folder = path.join(root, 'functions/store/dynamodb');
  const files = readdirSync(folder).filter((file) => file !== 'create-table.ts');
  const text = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  const commands = [...text.matchAll(/new (\w+)Command\(/g)].map(([, name]) => name);
  const parts = [...text.matchAll(/\{ (Put|Update|Delete|ConditionCheck): \{/g)].map(
    ([, name]) => `${name}Item`,
  );
  return new Set(
    [...commands.filter((name) => name !== 'TransactWriteItems'), ...parts].map((name) => `dynamodb:${name}`),
  );
}

describe("a job's role", () => {
  const invoices = 'fireledger-dev-1-billing_send-invoices';
  const own = { jobId: 'billing/send-invoices', key: '2026-12-01T05:00:00Z' };
  const other = { jobId: 'billing/reconcile-payments', key: '2026-12-01T05:00:00Z' };
  const may = (action: string, ...keys: string[]) =>
    isAllowed(accessOf(invoices), { action, resource: ledger, context: { 'dynamodb:LeadingKeys': keys } });
  const partition = (item: Record<string, { S?: string | undefined }>) => item[table.partitionKey]?.S ?? '';

  test("reaches no record of another job, nor of a transaction that has one among its own, nor the reconciler's", () => {
    for (const action of storeActions()) {
      expect(may(action, partition(jobKey(other.jobId)))).toBe(false);
      expect(may(action, partition(runKey(own)), partition(runKey(other)))).toBe(false);
      expect(may(action, partition(stepKey(other, 'pay')))).toBe(false);
      expect(may(action, partition(jobKey(`${own.jobId}-eu`)))).toBe(false);
      expect(may(action, partition(stepKey({ ...own, jobId: `${own.jobId}-eu` }, 'pay')))).toBe(false);
      expect(may(action, partition(runKey(own)), partition(stepKey(other, 'pay')))).toBe(false);
      expect(may(action, 'reconciler')).toBe(false);
    }
  });

  test('may update every pool, whatever it takes of by now, together with its own records, and ask for none', () => {
    const places = [partition(runKey(own)), partition(jobKey(own.jobId)), partition(poolKey('any-pool'))];
    const allowed = [...storeActions()].filter((action) => may(action, ...places));
    expect(allowed.sort()).toEqual([
      'dynamodb:ConditionCheckItem',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
    ]);
    expect(may('dynamodb:UpdateItem', partition(jobKey(other.jobId)), partition(poolKey('any-pool')))).toBe(
      false,
    );
  });

  test('does not read the index of open runs', () => {
    const query = { action: 'dynamodb:Query', resource: `${ledger}/index/${table.openIndex.name}` };
    expect(isAllowed(accessOf(invoices), query)).toBe(false);
  });

  test('may nudge the reconciler, and not read what others told it', () => {
    expect(isAllowed(accessOf(invoices), { action: 'sqs:SendMessage', resource: controlQueue })).toBe(true);
    expect(isAllowed(accessOf(invoices), { action: 'sqs:ReceiveMessage', resource: controlQueue })).toBe(
      false,
    );
  });

  test('may do what its permissions say, and write its own log only', () => {
    const log = (name: string) => `arn:aws:logs:${here}:log-group:/aws/lambda/${name}:log-stream:1`;
    const write = (name: string) =>
      isAllowed(accessOf(invoices), { action: 'logs:PutLogEvents', resource: log(name) });
    expect([write(invoices), write('fireledger-dev-1-billing_reconcile-payments')]).toEqual([true, false]);
    const query = (table: string) =>
      isAllowed(accessOf(invoices), {
        action: 'dynamodb:Query',
        resource: `arn:aws:dynamodb:${here}:table/${table}`,
      });
    expect(query('fireledger-dev-example-invoices')).toBe(true);
    expect(query('fireledger-dev-example-payments')).toBe(false);
    expect(query('fireledger-prod-example-invoices')).toBe(false);
  });

  test('starts no function', () => {
    const start = { action: 'lambda:InvokeFunction', resource: functionArn(invoices) };
    expect(isAllowed(accessOf(invoices), start)).toBe(false);
  });
});

describe("the reconciler's role", () => {
  const may = (action: string, resource: string, context = {}) =>
    isAllowed(accessOf('fireledger-dev-_reconciler'), { action, resource, context });

  test('reaches every record, and the index of open runs', () => {
    for (const action of storeActions())
      expect(may(action, ledger, { 'dynamodb:LeadingKeys': ['job#any', 'reconciler'] })).toBe(true);
    expect(may('dynamodb:Query', `${ledger}/index/${table.openIndex.name}`)).toBe(true);
    expect(may('dynamodb:Scan', ledger)).toBe(false);
  });

  test("starts its stage's functions and no other's", () => {
    expect(may('lambda:InvokeFunction', functionArn('fireledger-dev-1-uptime_check-endpoints'))).toBe(true);
    expect(may('lambda:InvokeFunction', functionArn('fireledger-prod-1-uptime_check-endpoints'))).toBe(false);
    expect(may('lambda:InvokeFunction', functionArn('somebody-elses'))).toBe(false);
  });

  test('takes from the control queue and nudges itself', () => {
    for (const action of [
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:SendMessage',
    ])
      expect(may(action, controlQueue)).toBe(true);
    expect(may('sqs:ReceiveMessage', `${controlQueue}-other`)).toBe(false);
  });

  test("puts metrics of fireledger's namespace only", () => {
    expect(may('cloudwatch:PutMetricData', '*', { 'cloudwatch:namespace': ['fireledger'] })).toBe(true);
    expect(may('cloudwatch:PutMetricData', '*', { 'cloudwatch:namespace': ['billing'] })).toBe(false);
  });
});

test('of all roles only the reconciler’s may tell people something, and only through the topic of its stage', () => {
  const [topic] = dev.resources('AWS::SNS::Topic');
  const publishing = dev
    .resources('AWS::IAM::Role')
    .flatMap(statementsOf)
    .filter(({ Action }) => list(Action).some((action) => action.startsWith('sns:')));
  expect(publishing.map(({ Action, Resource }) => [Action, Resource])).toEqual([
    ['sns:Publish', `<${topic?.id}>`],
  ]);
  expect(
    isAllowed(accessOf('fireledger-dev-_reconciler'), { action: 'sns:Publish', resource: `<${topic?.id}>` }),
  ).toBe(true);
});

describe("the alarms' role", () => {
  test('pokes functions of its stage, and leaves dead letters', () => {
    const may = (action: string, resource: string) =>
      isAllowed(statementsOf(alarmRole()), { action, resource });
    expect(may('lambda:InvokeFunction', functionArn('fireledger-dev-1-rates_pull-fx'))).toBe(true);
    expect(may('lambda:InvokeFunction', functionArn('fireledger-prod-1-rates_pull-fx'))).toBe(false);
    expect(may('sqs:SendMessage', controlQueue)).toBe(true);
  });

  test("is Scheduler's for alarms of this account and this stage's group", () => {
    expect(alarmRole().properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [
        {
          Principal: { Service: 'scheduler.amazonaws.com' },
          Condition: {
            StringEquals: {
              'aws:SourceAccount': '111122223333',
              'aws:SourceArn': `arn:aws:scheduler:${here}:schedule-group/fireledger-dev`,
            },
          },
        },
      ],
    });
  });
});

test('no role may do something to everything, but put metrics of one namespace', () => {
  const wide = dev
    .resources('AWS::IAM::Role')
    .flatMap(statementsOf)
    .filter(
      ({ Action, Resource }) =>
        list(Resource).includes('*') || list(Action).some((action) => action.endsWith('*')),
    );
  expect(wide.map(({ Action }) => Action)).toEqual(['cloudwatch:PutMetricData']);
});

test('roles have nothing but their inline policies', () => {
  expect(dev.resources('AWS::IAM::Policy')).toEqual([]);
  expect(dev.resources('AWS::IAM::ManagedPolicy')).toEqual([]);
  for (const { properties } of dev.resources('AWS::IAM::Role'))
    expect(properties).not.toHaveProperty('ManagedPolicyArns');
});
