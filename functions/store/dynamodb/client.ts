import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export interface LedgerClientOptions {
  /**
   * An embedded DynamoDB, such as `http://127.0.0.1:8000`; region and credentials are then `embedded`'s.
   * @default - AWS's, or what AWS_ENDPOINT_URL says, with the credentials of the environment
   */
  readonly endpoint?: string;
  /** @default - the environment's */
  readonly region?: string;
  /** @default 50 */
  readonly maxSockets?: number;
  /** Until an attempt to connect is given up, and made again. @default 1000 */
  readonly connectionTimeoutMs?: number;
  /** Until a request without an answer is given up, and sent again. @default 2000 */
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
  region,
  maxSockets = 50,
  connectionTimeoutMs = 1_000,
  requestTimeoutMs = 2_000,
}: LedgerClientOptions = {}): DynamoDBClient {
  const agent = { keepAlive: true, maxSockets };
  return new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint, ...embedded }),
  });
}
