import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export interface LedgerClientOptions {
  /**
   * An embedded DynamoDB, such as `http://127.0.0.1:8000`; region and credentials are then `embedded`'s.
   * @default - AWS's, or what AWS_ENDPOINT_URL says, with the credentials of the environment
   */
  readonly endpoint?: string;
  /** @default 50 */
  readonly maxSockets?: number;
  /** Milliseconds until a request without an answer is given up, and tried again. @default 2000 */
  readonly requestTimeoutMs?: number;
}

/** What an embedded DynamoDB is addressed with. It asks for credentials and ignores what they are. */
export const embedded = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
} as const;

/** A claim that gets no answer must fail within seconds: so short timeouts, and three tries in all. */
export function ledgerClient({
  endpoint,
  maxSockets = 50,
  requestTimeoutMs = 2_000,
}: LedgerClientOptions = {}): DynamoDBClient {
  const agent = { keepAlive: true, maxSockets };
  return new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...(endpoint === undefined ? {} : { endpoint, ...embedded }),
  });
}
