import { fireKey, type RunRef } from '../domain/names.ts';
import { floorToMinute, fromIso } from '../domain/time.ts';
import type { ReconcilerPorts } from './ports.ts';

/** What a message on the control queue is. */
export type ControlMessage =
  | { readonly kind: 'nudge'; readonly why: string }
  | {
      readonly kind: 'failure';
      readonly run: RunRef | null;
      readonly requestId: string;
      readonly why: string;
    }
  /** `run` is null when only the schedule is known. */
  | {
      readonly kind: 'undelivered';
      readonly run: RunRef | null;
      readonly schedule?: string;
      readonly why: string;
    };

/** Reads a message's body; null when it is none of ours. `attributes` are those of SQS (Scheduler puts its error there). */
export function readControlMessage(
  body: string,
  attributes: Readonly<Record<string, string>>,
): ControlMessage | null {
  const message = parse(body);
  if (message?.fireledger === 'nudge' && typeof message.why === 'string')
    return { kind: 'nudge', why: message.why };
  if (message?.fireledger === 'sweep') return { kind: 'nudge', why: 'a sweep could not be delivered' };
  if (message?.fireledger === 'alarm' || attributes.SCHEDULE_ARN !== undefined)
    return readDeadLetter(message, attributes);
  return message && readFailureRecord(message);
}

/** Known by its attributes: AWS documents these, and not whether the body is an alarm's input or the whole request to Lambda. */
function readDeadLetter(
  message: Fields | null,
  { SCHEDULE_ARN: schedule, ERROR_CODE: why = 'unknown' }: Readonly<Record<string, string>>,
): ControlMessage {
  const run = message && runOf(message);
  return { kind: 'undelivered', run, ...(schedule !== undefined && { schedule }), why };
}

type Fields = Readonly<Record<string, unknown>>;

function readFailureRecord(message: Fields): ControlMessage | null {
  const context = fields(message.requestContext);
  const payload = fields(message.requestPayload);
  if (typeof context?.requestId !== 'string' || payload === null) return null;
  const response = fields(message.responsePayload);
  const why = [context.condition, response?.errorType, response?.errorMessage].filter(isText).join(': ');
  return {
    kind: 'failure',
    run: runOf(payload),
    requestId: context.requestId,
    why: why.slice(0, longestWhy) || 'unknown',
  };
}

/** An error message may be of any length; the record keeps its beginning. */
const longestWhy = 300;

/** The run that an invocation was for, as far as its payload tells. */
function runOf(payload: Fields): RunRef | null {
  if (typeof payload.jobId !== 'string') return null;
  if (payload.fireledger === 'offer' && typeof payload.run === 'string')
    return { jobId: payload.jobId, key: payload.run };
  const scheduled = typeof payload.scheduledTime === 'string' ? fromIso(payload.scheduledTime) : null;
  return scheduled === null ? null : { jobId: payload.jobId, key: fireKey(floorToMinute(scheduled)) };
}

/**
 * Takes note of a message. A failure record is a hint: it marks the attempt that it names as suspected, if that one still
 * runs, and proves nothing. The sweep that follows does the rest.
 */
export async function takeNote(
  { ledger, log, clock }: ReconcilerPorts,
  message: ControlMessage,
): Promise<void> {
  if (message.kind === 'nudge') return log.info('nudged', { why: message.why });
  if (message.kind === 'undelivered') {
    const { run, schedule, why } = message;
    return log.error(
      'EventBridge Scheduler gave up on a delivery; the fire is made up for when its grace is over',
      { ...run, schedule, why },
    );
  }
  const { run, requestId, why } = message;
  const suspected = run !== null && (await ledger.suspect(run, { at: clock(), requestId, why }));
  log.warn(suspected ? 'a run is suspected to have died' : 'an invocation failed that owned no run', {
    ...run,
    requestId,
    why,
  });
}

function parse(body: string): Fields | null {
  try {
    return fields(JSON.parse(body));
  } catch {
    return null;
  }
}

function fields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
