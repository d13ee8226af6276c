import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { readBody } from '../loopback.ts';

/** A request of an AWS SDK, as far as it can be told before its body is read. */
export interface AwsRequest {
  /** The name under which it was signed: `dynamodb`, `sqs`, `monitoring`, … */
  readonly service: string;
  /** X-Amz-Target, `AmazonSQS.SendMessage`; empty for services that don't use it. */
  readonly target: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly message: IncomingMessage;
}

const SIGNED_FOR = /^AWS4-HMAC-SHA256 .*Credential=[^/]+\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/;

/** Undefined when it isn't signed as an SDK signs. */
export function readAwsRequest(message: IncomingMessage): AwsRequest | undefined {
  const service = SIGNED_FOR.exec(message.headers.authorization ?? '')?.[1];
  if (service === undefined) return undefined;
  const [path = '/'] = (message.url ?? '/').split('?');
  const target = String(message.headers['x-amz-target'] ?? '');
  return { service, target, method: message.method ?? 'GET', path, message };
}

/** The body as text; SDKs compress a large one. */
export async function bodyText({ message }: AwsRequest): Promise<string> {
  const body = await readBody(message);
  return (message.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
}
