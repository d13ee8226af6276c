/** An answer of DynamoDB that isn't a success: `body` is what goes over the wire, with `__type` naming it. */
export class DynamoDbError extends Error {
  readonly statusCode = 400;
  readonly body: Record<string, unknown>;

  constructor(type: string, message: string, more: Record<string, unknown> = {}) {
    super(message);
    const space =
      type === 'ValidationException' ? 'com.amazon.coral.validate' : 'com.amazonaws.dynamodb.v20120810';
    this.body = { __type: `${space}#${type}`, message, ...more };
  }
}

/** dynalite's own errors have the same shape, but no class. */
export interface WireError {
  readonly statusCode: number;
  readonly body: Record<string, unknown>;
}

export function isWireError(error: unknown): error is WireError {
  return error instanceof Error && 'statusCode' in error && 'body' in error;
}

/** `ConditionalCheckFailedException` and the like, without the name space. */
export function errorType(error: WireError): string {
  return String(error.body.__type).split('#').at(-1) ?? '';
}

export function errorMessage(error: WireError): string {
  return String(error.body.message ?? error.body.Message ?? '');
}
