import type { LambdaError } from './messages.ts';

/** What Lambda sends to a function's failure destination, for an asynchronous invocation that came to nothing. */
export interface FailureRecord {
  readonly version: '1.0';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly requestContext: {
    readonly requestId: string;
    readonly functionArn: string;
    readonly condition: 'RetriesExhausted' | 'EventAgeExceeded';
    readonly approximateInvokeCount: number;
  };
  readonly requestPayload: unknown;
  /** Absent when it never started. */
  readonly responseContext?: {
    readonly statusCode: 200;
    readonly executedVersion: '$LATEST';
    readonly functionError: 'Unhandled';
  };
  readonly responsePayload?: LambdaError;
}

export interface FailedInvocation {
  readonly requestId: string;
  readonly functionArn: string;
  readonly payload: unknown;
  /** Epoch milliseconds. */
  readonly at: number;
}

export function failureRecord(failed: FailedInvocation, error: LambdaError): FailureRecord {
  return {
    ...recordOf(failed, 'RetriesExhausted', 1),
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: error,
  };
}

/** For an event that grew too old before it could start. */
export function tooOldRecord(failed: FailedInvocation): FailureRecord {
  return recordOf(failed, 'EventAgeExceeded', 0);
}

function recordOf(
  { requestId, functionArn, payload, at }: FailedInvocation,
  condition: FailureRecord['requestContext']['condition'],
  approximateInvokeCount: number,
): FailureRecord {
  return {
    version: '1.0',
    timestamp: new Date(at).toISOString(),
    requestContext: { requestId, functionArn, condition, approximateInvokeCount },
    requestPayload: payload,
  };
}
