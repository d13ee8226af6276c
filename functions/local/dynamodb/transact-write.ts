import type { AttributeMap, DynaliteEngine, Place, Wire } from './dynalite-engine.ts';
import { DynamoDbError, errorMessage, errorType, isWireError } from './dynamodb-error.ts';

const MAX_ACTIONS = 100;

/** What dynalite does for each kind of action. A condition check is a delete whose effect nobody keeps. */
const OPERATIONS = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'DeleteItem',
} as const;
type Kind = keyof typeof OPERATIONS;

interface Action {
  readonly kind: Kind;
  readonly request: Wire;
}

interface Reason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: AttributeMap;
}

/**
 * TransactWriteItems: every action is tried on copies of its item; only when all of them pass is the outcome written, in
 * one atomic write. So there is nothing to roll back. Call it under the mutex of everything that writes.
 */
export async function transactWrite(engine: DynaliteEngine, input: Wire): Promise<Wire> {
  const actions = readActions(input);
  for (const action of actions) engine.validate(OPERATIONS[action.kind], action.request);
  const places = await locate(engine, actions);
  const scratch = await engine.scratch(places);
  try {
    const tried = await Promise.all(actions.map((action, index) => attempt(scratch, action, places[index])));
    refuseIfAny(tried.map((one) => one.reason));
    const written = places.filter((_, index) => actions[index]?.kind !== 'ConditionCheck');
    await engine.replace(written, await Promise.all(written.map((place) => scratch.read(place))));
    return consumed(
      input,
      tried.map((one) => one.answer),
    );
  } finally {
    await scratch.close();
  }
}

/** The item's attributes that name it: the key, or for a put the whole item. */
export function namedBy(request: Wire): { attributes: AttributeMap; whole: boolean } {
  const whole = request.Item !== undefined;
  return { attributes: (whole ? request.Item : request.Key) as AttributeMap, whole };
}

function readActions(input: Wire): Action[] {
  const items = input.TransactItems;
  if (!Array.isArray(items) || items.length < 1 || items.length > MAX_ACTIONS) {
    throw invalid(`TransactItems must hold 1 to ${MAX_ACTIONS} actions`);
  }
  return items.map((item: Wire) => {
    const kinds = (Object.keys(OPERATIONS) as Kind[]).filter((kind) => item[kind] !== undefined);
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
    }
    const request = { ...(item[kind] as Wire) };
    if (input.ReturnConsumedCapacity) request.ReturnConsumedCapacity = input.ReturnConsumedCapacity;
    return { kind, request };
  });
}

async function locate(engine: DynaliteEngine, actions: readonly Action[]): Promise<Place[]> {
  const places = await Promise.all(
    actions.map(({ request }) => {
      const { attributes, whole } = namedBy(request);
      return engine.find(String(request.TableName), attributes, whole);
    }),
  );
  const names = new Set(places.map((place) => `${place.tableName}/${place.key}`));
  if (names.size < places.length) {
    throw invalid('Transaction request cannot include multiple operations on one item');
  }
  return places;
}

async function attempt(
  scratch: DynaliteEngine,
  action: Action,
  place: Place | undefined,
): Promise<{ reason: Reason; answer: Wire }> {
  try {
    return {
      reason: { Code: 'None' },
      answer: await scratch.execute(OPERATIONS[action.kind], action.request),
    };
  } catch (error) {
    if (!isWireError(error)) throw error;
    return { reason: reasonFor(error, action, place), answer: {} };
  }
}

function reasonFor(error: Parameters<typeof errorType>[0], action: Action, place: Place | undefined): Reason {
  if (errorType(error) !== 'ConditionalCheckFailedException') {
    return { Code: 'ValidationError', Message: errorMessage(error) };
  }
  const wanted = action.request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  const old = wanted && place?.item !== undefined ? { Item: place.item } : {};
  return { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', ...old };
}

function refuseIfAny(reasons: readonly Reason[]): void {
  if (reasons.every((reason) => reason.Code === 'None')) return;
  const codes = reasons.map((reason) => reason.Code).join(', ');
  const text = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  throw new DynamoDbError('TransactionCanceledException', text, {
    Message: text,
    CancellationReasons: reasons,
  });
}

/** A transaction costs twice what its actions would. */
function consumed(input: Wire, answers: readonly Wire[]): Wire {
  if (!input.ReturnConsumedCapacity || input.ReturnConsumedCapacity === 'NONE') return {};
  const units = new Map<string, number>();
  for (const { ConsumedCapacity } of answers) {
    const { TableName, CapacityUnits } = ConsumedCapacity as { TableName: string; CapacityUnits: number };
    units.set(TableName, (units.get(TableName) ?? 0) + 2 * CapacityUnits);
  }
  return {
    ConsumedCapacity: [...units].map(([TableName, CapacityUnits]) => ({ TableName, CapacityUnits })),
  };
}

function invalid(message: string): DynamoDbError {
  return new DynamoDbError('ValidationException', message);
}
