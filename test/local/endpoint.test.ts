import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CloudWatchClient, ListMetricsCommand, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parameterStore } from '../../functions/handlers/parameter-store.ts';
import { secretsManager } from '../../functions/handlers/secrets-manager.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import type { MetricDatum } from '../../functions/local/endpoint/cloudwatch.ts';
import {
  type Endpoint,
  type EndpointOptions,
  startEndpoint,
} from '../../functions/local/endpoint/endpoint.ts';
import type { Published } from '../../functions/local/endpoint/sns.ts';
import { type InvocationResult, InvokeError } from '../../functions/local/lambda/contract.ts';
import { createQueue, type SqsEvent } from '../../functions/local/queue.ts';
import { missingSecrets, secretsIn } from '../../functions/local/secrets-file.ts';
import { manifestJob } from '../support/jobs.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const secretsFile = join(mkdtempSync(join(tmpdir(), 'fireledger-secrets-')), 'secrets.local.json');
const secrets = { 'bank/token': 's3cret', '/bank/token': 'of the store' };
const SECRET = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:bank/token';

let dynamo: DynamoDb;
let endpoint: Endpoint;
let invoke: (functionName: string, payload: unknown, mode: string) => InvocationResult;
const metrics: [string, readonly MetricDatum[]][] = [];
const notices: Published[] = [];
const received: SqsEvent[] = [];
const refused: string[] = [];
const queue = createQueue({ name: 'control', consume: async (event) => void received.push(event) });

function options(): EndpointOptions {
  return {
    dynamoDb: dynamo.endpoint,
    queues: { control: queue },
    invoke: async (name, payload, mode) => invoke(name, payload, mode),
    onMetrics: (namespace, data) => metrics.push([namespace, data]),
    onPublish: (notice) => notices.push(notice),
    secrets: secretsIn(secretsFile),
    onNotEmulated: (message) => refused.push(message),
  };
}

beforeAll(async () => {
  writeFileSync(secretsFile, JSON.stringify(secrets));
  dynamo = await startDynamoDb();
  endpoint = await startEndpoint(options());
});
afterAll(async () => {
  queue.close();
  await endpoint.close();
  await dynamo.close();
  rmSync(dirname(secretsFile), { recursive: true, force: true });
});
beforeEach(() => {
  for (const list of [metrics, notices, received, refused]) list.length = 0;
});

const config = () => ({ endpoint: endpoint.url, region: 'us-east-1', credentials, maxAttempts: 1 });

/** A request signed as an SDK signs, as far as anybody here looks. */
function signed(service: string, headers: Record<string, string>, body = '', path = '/') {
  const authorization = `AWS4-HMAC-SHA256 Credential=local/20261130/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`;
  return fetch(endpoint.url + path, { method: 'POST', headers: { authorization, ...headers }, body });
}

describe('the stub of AWS', () => {
  it('passes DynamoDB on to the emulator', async () => {
    const client = new DynamoDBClient(config());
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
  });

  it('says so when the DynamoDB does not answer', async () => {
    const alone = await startEndpoint({ ...options(), dynamoDb: 'http://127.0.0.1:9' });
    onTestFinished(() => alone.close());
    const client = new DynamoDBClient({ ...config(), endpoint: alone.url });
    await expect(client.send(new ListTablesCommand({}))).rejects.toThrow(
      /^The DynamoDB at http:\/\/127\.0\.0\.1:9 doesn't answer: /,
    );
  });

  it('puts an SQS message on its queue', async () => {
    const client = new SQSClient(config());
    const { MessageId } = await client.send(
      new SendMessageCommand({
        QueueUrl: `${endpoint.url}/000000000000/control`,
        MessageBody: 'näher',
        MessageAttributes: { ERROR_CODE: { DataType: 'String', StringValue: 'X' } },
      }),
    );
    await expect.poll(() => received.length, { interval: 1 }).toBe(1);
    expect(received[0]?.Records).toMatchObject([
      {
        messageId: MessageId,
        body: 'näher',
        messageAttributes: { ERROR_CODE: { dataType: 'String', stringValue: 'X' } },
      },
    ]);
  });

  it('refuses a queue that is not there', async () => {
    const send = new SQSClient(config()).send(
      new SendMessageCommand({ QueueUrl: `${endpoint.url}/000000000000/contrl`, MessageBody: 'x' }),
    );
    await expect(send).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
      message: `No queue ${endpoint.url}/000000000000/contrl. Known: control.`,
    });
  });

  it.each([1, 500])('hears of CloudWatch metrics (%i of them, compressed when many)', async (count) => {
    const MetricData = Array.from({ length: count }, (_, i) => ({
      MetricName: `Sweeps${i}`,
      Value: 1.5,
      Unit: 'Count' as const,
      Dimensions: [{ Name: 'stage', Value: 'local' }],
    }));
    await new CloudWatchClient(config()).send(
      new PutMetricDataCommand({ Namespace: 'fireledger', MetricData }),
    );
    expect(metrics).toEqual([['fireledger', MetricData]]);
  });

  it('starts a function at once, or with its result', async () => {
    const client = new LambdaClient(config());
    const calls: unknown[] = [];
    invoke = (...call) => {
      calls.push(call);
      return call[2] === 'async' ? { requestId: 'r1' } : { requestId: 'r2', result: { ok: true } };
    };
    const Payload = new TextEncoder().encode('{"a":1}');
    const event = await client.send(
      new InvokeCommand({ FunctionName: 'local-billing', InvocationType: 'Event', Payload }),
    );
    expect([event.StatusCode, event.$metadata.requestId]).toEqual([202, 'r1']);
    const FunctionName = 'arn:aws:lambda:us-east-1:000000000000:function:local-billing:$LATEST';
    const response = await client.send(new InvokeCommand({ FunctionName }));
    expect([response.StatusCode, response.FunctionError]).toEqual([200, undefined]);
    expect(response.Payload?.transformToString()).toBe('{"ok":true}');
    expect(calls).toEqual([
      ['local-billing', { a: 1 }, 'async'],
      ['local-billing', {}, 'sync'],
    ]);
  });

  it('tells a function’s error as Lambda does', async () => {
    invoke = () => ({ requestId: 'r', error: { errorType: 'TypeError', errorMessage: 'no' } });
    const response = await new LambdaClient(config()).send(new InvokeCommand({ FunctionName: 'job' }));
    expect(response.FunctionError).toBe('Unhandled');
    expect(JSON.parse(response.Payload?.transformToString() ?? '')).toEqual({
      errorType: 'TypeError',
      errorMessage: 'no',
    });
  });

  it('refuses a function that is not there', async () => {
    invoke = () => {
      throw new InvokeError('ResourceNotFoundException', 404, 'Function not found: jib. Known: job.');
    };
    const send = new LambdaClient(config()).send(new InvokeCommand({ FunctionName: 'jib' }));
    await expect(send).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Function not found: jib. Known: job.',
    });
  });

  it('hears of SNS notices', async () => {
    const body = new URLSearchParams({
      Action: 'Publish',
      TopicArn: 'arn:aws:sns:us-east-1:000000000000:notices',
      Subject: 'parked',
      Message: 'a & b',
    });
    const answer = await signed(
      'sns',
      { 'content-type': 'application/x-www-form-urlencoded' },
      body.toString(),
    );
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/<MessageId>[\w-]+</)]);
    expect(notices).toEqual([
      { topicArn: 'arn:aws:sns:us-east-1:000000000000:notices', subject: 'parked', message: 'a & b' },
    ]);
  });

  it('gives the secrets of this stage, and no other', async () => {
    const ask = async (SecretId: string) => {
      const target = { 'x-amz-target': 'secretsmanager.GetSecretValue' };
      const answer = await signed('secretsmanager', target, JSON.stringify({ SecretId }));
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    expect(await ask('bank/token')).toMatchObject({ status: 200, ARN: SECRET, SecretString: 's3cret' });
    expect(await ask(SECRET)).toMatchObject({ status: 200, SecretString: 's3cret' });
    expect(await ask('toString')).toMatchObject({
      status: 400,
      __type: 'ResourceNotFoundException',
      message: `No secret toString on this machine. Write it to ${secretsFile}: { "toString": "its value" }`,
    });
  });

  describe('to the readers of deployed jobs', () => {
    beforeAll(() => {
      vi.stubEnv('AWS_ENDPOINT_URL', endpoint.url);
      vi.stubEnv('AWS_REGION', 'us-east-1');
      vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
    });
    afterAll(() => vi.unstubAllEnvs());

    it('gives what is in the file, as it is now', async () => {
      expect(await secretsManager()('bank/token')).toBe('s3cret');
      expect(await parameterStore()('/bank/token')).toBe('of the store');
      writeFileSync(secretsFile, JSON.stringify({ 'bank/token': 'rotated' }));
      onTestFinished(() => writeFileSync(secretsFile, JSON.stringify(secrets)));
      expect(await secretsManager()('bank/token')).toBe('rotated');
    });

    it('and who starts the jobs is told which ones are missing', () => {
      const jobs = [manifestJob({ secrets: { THERE: 'bank/token#x', GONE: '/bank/{stage}/gone' } })];
      expect(missingSecrets(jobs, secretsFile)).toEqual([
        `billing/send-invoices: secrets.GONE: "/bank/local/gone" has no value on this machine. Write it to ${secretsFile}: { "/bank/local/gone": "its value" }`,
      ]);
    });

    it('says of a missing one what to write where, and quotes nothing of a file that it can not read', async () => {
      const missing = {
        name: 'ParameterNotFound',
        message: expect.stringContaining(`Write it to ${secretsFile}: {`),
      };
      await expect(parameterStore()('/bank/no')).rejects.toMatchObject(missing);
      onTestFinished(() => writeFileSync(secretsFile, JSON.stringify(secrets)));
      writeFileSync(secretsFile, '{ "bank/token": hunter2 }');
      await expect(secretsManager()('bank/token')).rejects.toMatchObject({
        message: expect.stringMatching(
          /secrets\.local\.json is no JSON; write one object of texts: (?!.*hunter2)/,
        ),
      });
    });
  });

  it('names what it does not emulate, and what it does', async () => {
    const send = new CloudWatchClient(config()).send(new ListMetricsCommand({}));
    const message =
      'Not emulated on this machine: monitoring ListMetrics. Emulated: dynamodb (all that its emulator knows), ' +
      'lambda Invoke, sqs SendMessage, GetQueueUrl, GetQueueAttributes and StartMessageMoveTask, ' +
      'monitoring (CloudWatch) PutMetricData, sns Publish, secretsmanager GetSecretValue, ' +
      'ssm GetParameter.';
    await expect(send).rejects.toMatchObject({
      name: 'NotEmulated',
      message,
      $metadata: { httpStatusCode: 501, attempts: 1 },
    });
    expect(refused).toEqual([message]);
  });

  it('refuses S3 in S3’s own words', async () => {
    const answer = await signed('s3', {}, '', '/bucket/key<1>');
    expect(answer.status).toBe(501);
    expect(await answer.text()).toMatch(
      /^<Error><Code>NotEmulated<\/Code><Message>Not emulated on this machine: s3 POST \/bucket\/key/,
    );
  });

  it('refuses what no SDK signed, such as a web page’s request', async () => {
    const headers = { 'x-amz-target': 'secretsmanager.GetSecretValue' };
    const answer = await fetch(endpoint.url, { method: 'POST', headers, body: '{"SecretId":"bank/token"}' });
    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toContain('s3cret');
  });
});
