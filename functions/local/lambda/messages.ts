/** What goes between the Lambda service and a sandbox. Payloads are JSON text, as they are on Lambda. */
export interface InvokeMessage {
  readonly requestId: string;
  readonly payload: string;
  readonly remainingMs: number;
}

export type SandboxMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'init-failed'; readonly error: LambdaError }
  | { readonly kind: 'succeeded'; readonly requestId: string; readonly payload: string }
  | { readonly kind: 'failed'; readonly requestId: string; readonly error: LambdaError };

/** An error as Lambda tells it. */
export interface LambdaError {
  readonly errorType: string;
  readonly errorMessage: string;
  /** The lines of the stack. */
  readonly trace?: readonly string[];
}

/** Written to both streams after an invocation: what comes before it belongs to that invocation. */
export function endMark(requestId: string): string {
  return `\u0000END ${requestId}`;
}
