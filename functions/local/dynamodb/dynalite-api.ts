import type { AttributeMap, DynaliteEngine, Wire } from './dynalite-engine.ts';
import { DynamoDbError, errorType, isWireError } from './dynamodb-error.ts';
import { Mutex } from './mutex.ts';
import { RequestTokens } from './request-tokens.ts';
import { namedBy, transactWrite } from './transact-write.ts';

const READS = new Set([
  'GetItem',
  'BatchGetItem',
  'Query',
  'Scan',
  'DescribeTable',
  'DescribeTimeToLive',
  'ListTables',
  'ListTagsOfResource',
]);
const SINGLE_WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);
const OTHER_WRITES = new Set([
  'BatchWriteItem',
  'CreateTable',
  'UpdateTable',
  'DeleteTable',
  'TagResource',
  'UntagResource',
]);

/**
 * DynamoDB's actions on a dynalite engine, with what that lacks: transactions, and the old item with a failed condition.
 * Everything that writes goes one at a time; a read sees a transaction whole, since that is one atomic write of LevelDB.
 */
export class DynaliteApi {
  readonly #engine: DynaliteEngine;
  readonly #writes = new Mutex();
  readonly #tokens: RequestTokens;

  /** `now`: epoch milliseconds. */
  constructor(engine: DynaliteEngine, now: () => number) {
    this.#engine = engine;
    this.#tokens = new RequestTokens(now);
  }

  /** Rejects with a wire error for what DynamoDB would refuse. */
  handle(operation: string, input: Wire): Promise<Wire> {
    if (READS.has(operation)) return this.#engine.execute(operation, input);
    return this.#writes.run(() => this.#alone(operation, input));
  }

  async #alone(operation: string, input: Wire): Promise<Wire> {
    if (SINGLE_WRITES.has(operation)) return this.#write(operation, input);
    if (OTHER_WRITES.has(operation)) return this.#engine.execute(operation, input);
    switch (operation) {
      case 'TransactWriteItems':
        return this.#tokens.once(input, () => transactWrite(this.#engine, input));
      case 'TransactGetItems':
        return this.#transactGet(input);
      case 'UpdateTimeToLive':
        return this.#acceptTimeToLive(input);
      default:
        throw new DynamoDbError('UnknownOperationException', `${operation} is not emulated by dynalite`);
    }
  }

  async #write(operation: string, input: Wire): Promise<Wire> {
    try {
      return await this.#engine.execute(operation, input);
    } catch (error) {
      if (!isWireError(error) || errorType(error) !== 'ConditionalCheckFailedException') throw error;
      if (input.ReturnValuesOnConditionCheckFailure !== 'ALL_OLD') throw error;
      const { attributes, whole } = namedBy(input);
      const { item } = await this.#engine.find(String(input.TableName), attributes, whole);
      throw new DynamoDbError('ConditionalCheckFailedException', 'The conditional request failed', {
        ...(item === undefined ? {} : { Item: item }),
      });
    }
  }

  /** All at one moment, since no write is under way. */
  async #transactGet(input: Wire): Promise<Wire> {
    const gets = input.TransactItems as readonly { readonly Get: Wire }[];
    const answers = await Promise.all(gets.map(({ Get }) => this.#engine.execute('GetItem', Get)));
    return {
      Responses: answers.map(({ Item }) => (Item === undefined ? {} : { Item: Item as AttributeMap })),
    };
  }

  /** Accepted, and without effect: nothing expires on this machine. */
  async #acceptTimeToLive(input: Wire): Promise<Wire> {
    await this.#engine.execute('DescribeTable', { TableName: input.TableName });
    return { TimeToLiveSpecification: input.TimeToLiveSpecification };
  }
}
