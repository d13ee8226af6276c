import type { FailureRecord } from './failure-record.ts';
import type { LambdaError } from './messages.ts';
import type { Stream } from './sandbox-process.ts';

export type { FailureRecord } from './failure-record.ts';
export type { LambdaError } from './messages.ts';

export interface FunctionOptions {
  /** Absolute path of a CommonJS bundle that exports `handler`. */
  readonly bundle: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** An asynchronous invocation that couldn't start within this is dropped. @default 6 hours */
  readonly maxEventAgeMs?: number;
}

export type InvocationEvent =
  | {
      readonly kind: 'started';
      readonly functionName: string;
      readonly requestId: string;
      readonly pid: number;
      readonly cold: boolean;
    }
  | {
      readonly kind: 'ended';
      readonly functionName: string;
      readonly requestId: string;
      readonly pid: number;
      /** What the handler returned; absent beside an error. */
      readonly result?: unknown;
      readonly error?: LambdaError;
    };

export interface LambdaServiceOptions {
  /** By function name. */
  readonly functions: Readonly<Record<string, FunctionOptions>>;
  /** AWS_ENDPOINT_URL of every function. */
  readonly endpointUrl: string;
  readonly onLog: (functionName: string, requestId: string, stream: Stream, line: string) => void;
  readonly onInvocation?: (event: InvocationEvent) => void;
  /** Told of asynchronous invocations that came to nothing. There are no retries. */
  readonly onFailure: (record: FailureRecord, functionName: string) => void;
  /** Epoch milliseconds. @default Date.now */
  readonly clock?: () => number;
  /** @default 'us-east-1' */
  readonly region?: string;
  /** Further invocations wait. @default 50 */
  readonly concurrency?: number;
  /** After how long an idle sandbox is ended. @default 5 minutes */
  readonly idleMs?: number;
}

export interface InvocationResult {
  readonly requestId: string;
  /** What the handler returned. Neither this nor `error` is there in asynchronous mode. */
  readonly result?: unknown;
  readonly error?: LambdaError;
}

/** A living sandbox; `requestId` is absent while it is idle. */
export interface SandboxProcess {
  readonly pid: number;
  readonly functionName: string;
  readonly requestId?: string;
}

export interface LambdaService {
  /**
   * Async: resolves at once, the work is queued. Sync: resolves with the handler's result or error. Rejects with an
   * InvokeError for an unknown function, an async payload over 1 MB, or while it is shutting down.
   */
  invoke(functionName: string, payload: unknown, mode: 'async' | 'sync'): Promise<InvocationResult>;
  pids(): SandboxProcess[];
  /** Takes nothing new, and waits at most `ms` for what is queued or running. Resolves with what is left. */
  drain(ms: number): Promise<readonly { functionName: string; requestId: string }[]>;
  /** Kills every sandbox, busy or not. */
  close(): Promise<void>;
}

/** Refused before it was an invocation; `type` is Lambda's name for it. */
export class InvokeError extends Error {
  readonly type: string;
  readonly statusCode: number;

  constructor(type: string, statusCode: number, message: string) {
    super(message);
    this.type = type;
    this.statusCode = statusCode;
  }
}
