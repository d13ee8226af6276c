import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LambdaService } from '../lambda/contract.ts';
import { listenOnLoopback } from '../loopback.ts';
import type { Queue } from '../queue.ts';
import { type Answer, errorAnswer, send } from './answer.ts';
import { type AwsRequest, bodyText, readAwsRequest } from './aws-request.ts';
import { type OnMetrics, putMetricData } from './cloudwatch.ts';
import { DynamoDbProxy } from './dynamodb-proxy.ts';
import { INVOKE_PATH, invokeFunction } from './lambda-invoke.ts';
import { getParameter, getSecretValue, type LocalSecrets } from './secrets.ts';
import { type OnPublish, publish } from './sns.ts';
import { sqsActions } from './sqs.ts';

export interface EndpointOptions {
  /** @default 0: any free one */
  readonly port?: number | undefined;
  /** Where the DynamoDB is: `http://HOST:PORT`. */
  readonly dynamoDb: string;
  /** By name. */
  readonly queues: Readonly<Record<string, Queue>>;
  /** Starts functions, usually `LambdaService.invoke`. */
  readonly invoke: LambdaService['invoke'];
  readonly onMetrics: OnMetrics;
  readonly onPublish: OnPublish;
  /** Of both services that keep any. */
  readonly secrets: LocalSecrets;
  /** Told of each request that is refused because nothing here emulates it. */
  readonly onNotEmulated?: (message: string) => void;
}

export interface Endpoint {
  /** For AWS_ENDPOINT_URL. */
  readonly url: string;
  close(): Promise<void>;
}

const EMULATED =
  'dynamodb (all that its emulator knows), lambda Invoke, sqs SendMessage, GetQueueUrl, GetQueueAttributes and StartMessageMoveTask, monitoring (CloudWatch) PutMetricData, ' +
  'sns Publish, secretsmanager GetSecretValue, ssm GetParameter';
const XML_SERVICES = new Set(['s3', 'route53', 'cloudfront']);
const SQS = 'AmazonSQS.';
const FORM = 'application/x-www-form-urlencoded';

/** Serves, on loopback, what of AWS is emulated on this machine, and refuses the rest with a clear 501. */
export async function startEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const dynamoDb = new DynamoDbProxy(options.dynamoDb);
  const server = await listenOnLoopback((message, response) => {
    const request = readAwsRequest(message);
    if (request?.service === 'dynamodb') return dynamoDb.forward(message, response);
    void answerSafely(request, options, response);
  }, options.port);
  return {
    url: server.url,
    close: async () => {
      await server.close();
      dynamoDb.close();
    },
  };
}

async function answerSafely(
  request: AwsRequest | undefined,
  options: EndpointOptions,
  response: ServerResponse<IncomingMessage>,
): Promise<void> {
  try {
    send(response, request === undefined ? unsigned() : await answer(request, options));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send(response, errorAnswer(500, 'InternalFailure', message));
  }
}

function unsigned(): Answer {
  return errorAnswer(403, 'MissingAuthenticationTokenException', 'Not signed as an AWS SDK signs.');
}

async function answer(request: AwsRequest, options: EndpointOptions): Promise<Answer> {
  const body = await bodyText(request);
  const ofSqs = request.target.startsWith(SQS) ? sqsActions[request.target.slice(SQS.length)] : undefined;
  if (ofSqs !== undefined) return ofSqs(options.queues, body, `http://${request.message.headers.host}`);
  switch (request.target) {
    case 'GraniteServiceVersion20100801.PutMetricData':
      return putMetricData(options.onMetrics, body);
    case 'secretsmanager.GetSecretValue':
      return getSecretValue(options.secrets, body);
    case 'AmazonSSM.GetParameter':
      return getParameter(options.secrets, body);
    default:
      return answerUntargeted(request, options, body);
  }
}

async function answerUntargeted(
  request: AwsRequest,
  options: EndpointOptions,
  body: string,
): Promise<Answer> {
  const { service, path, message } = request;
  const functionName = INVOKE_PATH.exec(path)?.[1];
  if (service === 'lambda' && functionName !== undefined) {
    const type = String(message.headers['x-amz-invocation-type'] ?? 'RequestResponse');
    return invokeFunction(options.invoke, functionName, type, body);
  }
  const form = message.headers['content-type']?.startsWith(FORM) ? new URLSearchParams(body) : undefined;
  if (service === 'sns' && form?.get('Action') === 'Publish') return publish(options.onPublish, form);
  return notEmulated(request, form, options);
}

function notEmulated(
  request: AwsRequest,
  form: URLSearchParams | undefined,
  options: EndpointOptions,
): Answer {
  const { service, target, method, path } = request;
  const action = target.split('.').at(-1) || form?.get('Action') || `${method} ${path}`;
  const text = `Not emulated on this machine: ${service} ${action}. Emulated: ${EMULATED}.`;
  options.onNotEmulated?.(text);
  return errorAnswer(501, 'NotEmulated', text, form !== undefined || XML_SERVICES.has(service));
}
