import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, type StageConfig, stageProblems, type Vpc } from '../../functions/config.ts';
import { NetworkStack, wantsEndpoints } from '../../infra/stacks/network-stack.ts';
import { refuseUnknownVpcs, stageNamed } from '../../infra/stage.ts';
import { manifestJob } from '../support/jobs.ts';
import { isAllowed, type Statement, statementsOf } from './iam.ts';
import { addStage, everything, main, stageWith } from './networked.ts';
import { type Properties, type Synthesised, synthesised } from './synthesised.ts';

let dev: Synthesised;
beforeAll(async () => {
  const jobs = [everything, manifestJob({ id: 'outside' })];
  // CloudFormation's rules as well: no other test deploys a network.
  dev = await synthesised((app) => addStage(app, stageWith({ main }), jobs), { isValidated: true });
}, 60_000);
afterAll(() => dev?.dispose());

const here = 'eu-central-1:111122223333';
const inside = `arn:aws:lambda:${here}:function:fireledger-dev-1-billing_send-invoices`;

function functionOf(job: string): Properties {
  const name = `fireledger-dev-1-${job}`;
  const found = dev.resources('AWS::Lambda::Function').find((each) => each.properties.FunctionName === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found.properties;
}

function accessOf(job: string): Statement[] {
  const role = dev.resources('AWS::IAM::Role').find(({ id }) => `<${id}.Arn>` === functionOf(job).Role);
  return role === undefined ? [] : statementsOf(role);
}

const may = (action: string, resource: string, context = {}) =>
  isAllowed(accessOf('billing_send-invoices'), { action, resource, context });

describe('a job with a vpc', () => {
  test('has its function in that network, and the others have theirs in none', () => {
    const { subnetIds, securityGroupIds } = main;
    expect(functionOf('billing_send-invoices').VpcConfig).toEqual({
      SubnetIds: subnetIds,
      SecurityGroupIds: securityGroupIds,
    });
    expect(functionOf('outside')).not.toHaveProperty('VpcConfig');
  });

  test('lets Lambda make its interfaces, and its own code do nothing of the kind', () => {
    const byCode = { 'lambda:SourceFunctionArn': [inside] };
    for (const action of ['CreateNetworkInterface', 'DescribeNetworkInterfaces', 'DeleteNetworkInterface']) {
      expect(may(`ec2:${action}`, '*')).toBe(true);
      expect(may(`ec2:${action}`, '*', byCode)).toBe(false);
    }
    expect(may('ec2:RunInstances', '*')).toBe(false);
    const outside = { action: 'ec2:CreateNetworkInterface', resource: '*' };
    expect(isAllowed(accessOf('outside'), outside)).toBe(false);
  });

  test.each([
    [{ main }, 'mian', 'job: vpc: "mian" is no vpc of stage dev; did you mean "main"?'],
    [{ main, other: main }, 'xyz', 'job: vpc: "xyz" is no vpc of stage dev; its vpcs are main, other'],
    [{}, 'main', 'it has none; give it vpcs in functions/config.ts'],
  ])('that the stage does not have is refused', (vpcs, vpc, message) => {
    const refuse = () => refuseUnknownVpcs(stageWith(vpcs), [manifestJob({ id: 'job', vpc })]);
    expect(refuse).toThrow(ConfigError);
    expect(refuse).toThrow(message);
  });
});

describe('the endpoints of a network', () => {
  const endpoints = () => dev.resources('AWS::EC2::VPCEndpoint').map(({ properties }) => properties);

  test('are a route to DynamoDB, and an interface to SQS and to each service that keeps secrets of its jobs', () => {
    const services = endpoints().map(({ ServiceName, VpcEndpointType }) => [ServiceName, VpcEndpointType]);
    expect(services).toEqual([
      ['com.amazonaws.eu-central-1.dynamodb', 'Gateway'],
      ['com.amazonaws.eu-central-1.sqs', 'Interface'],
      ['com.amazonaws.eu-central-1.secretsmanager', 'Interface'],
      ['com.amazonaws.eu-central-1.ssm', 'Interface'],
    ]);
  });

  test('are open to the functions, by TLS, and to nobody of another account', () => {
    const [group] = dev.resources('AWS::EC2::SecurityGroup');
    expect(group?.properties.SecurityGroupIngress).toEqual([
      expect.objectContaining({
        SourceSecurityGroupId: main.securityGroupIds[0],
        FromPort: 443,
        ToPort: 443,
      }),
    ]);
    for (const { PolicyDocument, VpcEndpointType, SecurityGroupIds } of endpoints()) {
      expect(PolicyDocument).toMatchObject({
        Statement: [{ Condition: { StringEquals: { 'aws:PrincipalAccount': '111122223333' } } }],
      });
      if (VpcEndpointType === 'Interface') expect(SecurityGroupIds).toEqual([`<${group?.id}.GroupId>`]);
    }
  });

  test('are only made where the stage says so, and for secrets only where a job inside has any', async () => {
    expect(wantsEndpoints(stageWith({ main: { ...main, endpoints: 'existing' } }))).toBe(false);
    expect(wantsEndpoints(stageNamed('dev'))).toBe(false);
    const plain = await synthesised((app) => {
      const existing = { ...main, endpoints: 'existing' } as const;
      const jobs = [manifestJob({ vpc: 'main' }), { ...everything, id: 'elsewhere', vpc: 'existing' }];
      new NetworkStack(app, { stage: stageWith({ main, existing }), jobs });
    });
    const services = plain.resources('AWS::EC2::VPCEndpoint').map(({ properties }) => properties.ServiceName);
    plain.dispose();
    expect(services).toEqual(['com.amazonaws.eu-central-1.dynamodb', 'com.amazonaws.eu-central-1.sqs']);
  });
});

describe('a job with secrets', () => {
  const secret = (name: string) => `arn:aws:secretsmanager:${here}:secret:${name}`;
  const parameter = (name: string) => `arn:aws:ssm:${here}:parameter${name}`;

  test('may read just those of its stage', () => {
    const read = (name: string) => may('secretsmanager:GetSecretValue', secret(name));
    expect(['billing/dev/api-key-AbC123', 'billing/database-AbC123'].map(read)).toEqual([true, true]);
    const others = ['billing/prod/api-key-AbC123', 'billing/dev/api-key', 'billing/dev/api-key-2-AbC123'];
    expect([...others, 'billing/dev/api-key-AbC1234', 'other-AbC123'].map(read)).not.toContain(true);
    const get = (name: string) => may('ssm:GetParameter', parameter(name));
    expect(['/billing/dev/token', '/billing/prod/token', '/billing/dev/token/2', '/other'].map(get)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(may('secretsmanager:PutSecretValue', secret('billing/database-AbC123'))).toBe(false);
    expect(may('kms:Decrypt', `arn:aws:kms:${here}:key/any`)).toBe(false);
    const outside = { action: 'secretsmanager:GetSecretValue', resource: secret('billing/database-AbC123') };
    expect(isAllowed(accessOf('outside'), outside)).toBe(false);
  });

  test('has none of their names in its environment', () => {
    expect(JSON.stringify(functionOf('billing_send-invoices').Environment)).not.toMatch(/billing|API_KEY/);
  });
});

describe('vpcs of functions/config.ts', () => {
  const told = (name: string, vpc: Partial<Vpc>) => {
    const config: StageConfig = { ...stageNamed('dev'), vpcs: { [name]: { ...main, ...vpc } } };
    return stageProblems('dev', config).join('\n');
  };

  test('are ids as AWS makes them', () => {
    expect(told('main', {})).toBe('');
    expect(told('main', { vpcId: 'vpc-main' })).toBe(
      'functions/config.ts: dev: vpcs.main.vpcId is "vpc-main"; allowed is an id such as vpc-0123456789abcdef0',
    );
    expect(told('main', { subnetIds: [] })).toContain('a list of 1 to 16 ids such as subnet-');
    expect(told('main', { securityGroupIds: ['subnet-0123456789abcdef0'] })).toContain('such as sg-');
    expect(told('Main', {})).toContain('vpcs.Main, its name, is "Main"; allowed is a letter');
  });

  test('say which routes DynamoDB’s endpoint is for, where there is to be one', () => {
    expect(told('main', { routeTableIds: [] })).toContain(
      'vpcs.main.routeTableIds is []; allowed is a list of 1',
    );
    expect(told('main', { routeTableIds: [], endpoints: 'existing' })).toBe('');
    expect(told('main', { endpoints: 'none' as never })).toContain('allowed is "create" or "existing"');
  });
});

test('a job with all that it may have keeps within what IAM allows a role', async () => {
  const names = Array.from({ length: 20 }, (_, index) => [`S${index}`, `/${'n'.repeat(47)}${index + 10}`]);
  const permission = { actions: ['s3:GetObject'], resources: [`arn:aws:s3:::${'b'.repeat(4_900)}`] };
  const most = manifestJob({
    id: `${'a'.repeat(59)}/${'b'.repeat(60)}`,
    vpc: 'main',
    secrets: Object.fromEntries(names),
    permissions: [permission],
  });
  const made = await synthesised((app) => addStage(app, stageWith({ main }), [most]));
  const [role] = made.resources('AWS::IAM::Role', 'Jobs1');
  const Statement = role === undefined ? [] : statementsOf(role);
  made.dispose();
  const { length } = JSON.stringify({ Version: '2012-10-17', Statement });
  expect(length).toBeGreaterThan(9_000);
  expect(length).toBeLessThan(10_240);
});
