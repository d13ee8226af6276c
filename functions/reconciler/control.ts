import { fireKey, fireTimeOf, jobIdProblem, parseRunId, type RunRef, runId } from '../domain/names.ts';
import { floorToMinute, fromIso } from '../domain/time.ts';
import { NoticeBoard } from './notice-board.ts';
import type { ReconcilerPorts } from './ports.ts';

/** What a message on the control queue is. */
export type ControlMessage =
  | { readonly kind: 'nudge'; readonly why: string }
  /** People are to be told of a run. */
  | { readonly kind: 'notice'; readonly run: RunRef }
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
    return { kind: 'nudge', why: beginningOf(message.why) };
  if (message?.fireledger === 'notice') return readNotice(message);
  if (message?.fireledger === 'sweep') return { kind: 'nudge', why: 'a sweep could not be delivered' };
  if (message?.fireledger === 'alarm' || attributes.SCHEDULE_ARN !== undefined)
    return readDeadLetter(message, attributes);
  return message && readFailureRecord(message);
}

function readNotice({ jobId, run }: Fields): ControlMessage | null {
  if (typeof jobId !== 'string' || typeof run !== 'string') return null;
  const ref = parseRunId(runId({ jobId, key: run }));
  return ref && { kind: 'notice', run: ref };
}

/** Known by its attributes: AWS documents these, and not whether the body is an alarm's input or the whole request to Lambda. */
function readDeadLetter(
  message: Fields | null,
  { SCHEDULE_ARN: schedule, ERROR_CODE: why = 'unknown' }: Readonly<Record<string, string>>,
): ControlMessage {
  const run = message && runOf(message);
  return { kind: 'undelivered', run, ...(schedule !== undefined && { schedule }), why: beginningOf(why) };
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
    why: beginningOf(why) || 'unknown',
  };
}

/** An error message may be of any length; the record keeps its beginning. */
const longestWhy = 300;

/** A character that is cut in half is no text that a store takes. */
function beginningOf(why: string): string {
  return why.slice(0, longestWhy).toWellFormed();
}

/** The run that an invocation was for, as far as its payload tells. */
function runOf(payload: Fields): RunRef | null {
  const { fireledger, jobId, run, scheduledTime } = payload;
  if (typeof jobId !== 'string' || jobIdProblem(jobId) !== null) return null;
  if (fireledger === 'offer' && typeof run === 'string')
    return fireTimeOf(run) === null ? null : { jobId, key: run };
  const scheduled = typeof scheduledTime === 'string' ? fromIso(scheduledTime) : null;
  return scheduled === null ? null : { jobId, key: fireKey(floorToMinute(scheduled)) };
}

/** A message on the control queue, as it arrived. */
export interface QueuedMessage {
  readonly id: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** What came of a batch of messages. */
export interface Notes {
  /** Ids of those that could not be read or noted: they come again. */
  readonly left: readonly string[];
  /** How many told of an alarm that could not be delivered. */
  readonly undeliverable: number;
}

/** Takes note of each message by itself. */
export async function takeNotes(
  ports: ReconcilerPorts,
  messages: readonly QueuedMessage[],
  board = new NoticeBoard(),
): Promise<Notes> {
  const left: string[] = [];
  let undeliverable = 0;
  for (const { id, body, attributes } of messages) {
    try {
      const message = readControlMessage(body, attributes);
      if (message === null) {
        board.add({ kind: 'unreadable', messageId: id, bytes: body.length });
        throw new Error('it is none that fireledger sends');
      }
      await takeNote(ports, message, board);
      if (message.kind === 'undelivered') undeliverable += 1;
    } catch (error) {
      ports.log.error('no note could be taken of a control message', {
        messageId: id,
        bytes: body.length,
        error,
      });
      left.push(id);
    }
  }
  return { left, undeliverable };
}

/**
 * Takes note of a message. A failure record is a hint: it marks the attempt that it names as suspected, if that one still
 * runs, and proves nothing. The sweep that follows does the rest.
 */
export async function takeNote(
  { ledger, log, clock }: ReconcilerPorts,
  message: ControlMessage,
  board = new NoticeBoard(),
): Promise<void> {
  if (message.kind === 'notice') return board.addEnded(message.run);
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
