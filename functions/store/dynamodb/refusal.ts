import type { Item } from './keys.ts';

/** Errors are known by their names: a bundle may hold the SDK twice, and its classes with it. */
interface ServiceError {
  readonly name: string;
  readonly Item?: Item;
  readonly CancellationReasons?: readonly { readonly Code?: string; readonly Item?: Item }[];
}

const collisions = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
const harmless = [...collisions, 'ConditionalCheckFailed', 'None'];

/** Of each item of a refused write, what stood in its way; null when the write was not refused by a condition. */
export function refusedItems(error: unknown): (Item | null | undefined)[] | null {
  if (!isServiceError(error)) return null;
  if (error.name === 'ConditionalCheckFailedException') return [error.Item ?? null];
  const reasons = reasonsOf(error);
  if (!reasons.some(isFailedCondition)) return null;
  return reasons.map((reason) => (isFailedCondition(reason) ? (reason.Item ?? null) : undefined));
}

/** The write met another transaction or a throttle, and can be sent again. */
export function isCollision(error: unknown): boolean {
  if (!isServiceError(error)) return false;
  if (error.name === 'TransactionConflictException' || isInProgress(error)) return true;
  const codes = reasonsOf(error).map(({ Code: code = 'None' }) => code);
  return codes.some((code) => collisions.includes(code)) && codes.every((code) => harmless.includes(code));
}

/** DynamoDB can't take what the write says, whenever it is sent: a text that is no Unicode, an item that is too large. */
export function isInvalid(error: unknown): error is Error {
  if (!isServiceError(error)) return false;
  if (error.name === 'ValidationException' || error.name === 'SerializationException') return true;
  return reasonsOf(error).some(({ Code: code }) => code === 'ValidationError');
}

/** Who may not write there, or writes to a table that isn't there, is refused each time. */
export function isHopeless(error: unknown): error is Error {
  if (!isServiceError(error)) return false;
  return error.name === 'AccessDeniedException' || error.name === 'ResourceNotFoundException';
}

/** The same write was sent before and is not done yet. */
export function isInProgress(error: unknown): boolean {
  return isServiceError(error) && error.name === 'TransactionInProgressException';
}

function reasonsOf(error: ServiceError) {
  return error.name === 'TransactionCanceledException' ? (error.CancellationReasons ?? []) : [];
}

function isFailedCondition(reason: { readonly Code?: string }): boolean {
  return reason.Code === 'ConditionalCheckFailed';
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error;
}
