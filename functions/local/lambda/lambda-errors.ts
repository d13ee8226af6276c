import type { LambdaError } from './messages.ts';

export function timedOut(requestId: string, timeoutMs: number): LambdaError {
  const seconds = (timeoutMs / 1000).toFixed(2);
  return failed('Sandbox.Timedout', requestId, `Task timed out after ${seconds} seconds`);
}

export function initTimedOut(requestId: string, limitMs: number): LambdaError {
  return failed('Sandbox.Timedout', requestId, `Init timed out after ${(limitMs / 1000).toFixed(2)} seconds`);
}

/** A process that ended in the middle of an invocation, whoever ended it. */
export function exited(requestId: string, code: number | null, signal: string | null): LambdaError {
  if (code === 0) return failed('Runtime.ExitError', requestId, 'Runtime exited without providing a reason');
  const how = signal === null ? `exit status ${code}` : `signal: ${signal}`;
  return failed('Runtime.ExitError', requestId, `Runtime exited with error: ${how}`);
}

/** No process could be had. */
export function startFailed(cause: unknown): LambdaError {
  return {
    errorType: 'ServiceException',
    errorMessage: cause instanceof Error ? cause.message : String(cause),
  };
}

function failed(errorType: string, requestId: string, what: string): LambdaError {
  return { errorType, errorMessage: `RequestId: ${requestId} Error: ${what}` };
}
