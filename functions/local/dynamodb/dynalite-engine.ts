import { createRequire } from 'node:module';

export type AttributeMap = Record<string, Record<string, unknown>>;
/** The JSON of one request or answer, as it goes over the wire. */
export type Wire = Record<string, unknown>;

/** One item in a table, found or not. */
export interface Place {
  readonly tableName: string;
  readonly key: string;
  readonly item: AttributeMap | undefined;
}

interface Table {
  readonly TableName: string;
  readonly KeySchema: readonly { readonly AttributeName: string }[];
  readonly LocalSecondaryIndexes?: readonly unknown[];
  readonly GlobalSecondaryIndexes?: readonly unknown[];
}

type Callback<T> = (error: Error | null, value?: T) => void;

interface Level {
  get(key: string, callback: Callback<unknown>): void;
  put(key: string, value: unknown, callback: Callback<void>): void;
}

interface Batch {
  readonly type: 'put' | 'del';
  readonly key: string;
  readonly value?: unknown;
}

interface Store {
  readonly db: {
    batch(operations: readonly Batch[], callback: Callback<void>): void;
    open(): Promise<void>;
    close(callback: Callback<void>): void;
  };
  readonly tableDb: Level;
  getTable(name: string, checkStatus: boolean, callback: Callback<Table>): void;
  getItemDb(name: string): Level;
}

interface IndexAction {
  readonly index: string;
  readonly key: string;
  readonly item?: unknown;
}

interface Database {
  create(options: Wire): Store;
  createKey(item: AttributeMap, table: Table): string;
  validateKey(key: AttributeMap, table: Table): Error | undefined;
  validateItem(item: AttributeMap, table: Table): Error | undefined;
  getIndexActions(
    indexes: readonly unknown[],
    existing: AttributeMap | undefined,
    item: AttributeMap | undefined,
    table: Table,
  ): { readonly puts: readonly IndexAction[]; readonly deletes: readonly IndexAction[] };
}

interface Validations {
  checkTypes(data: Wire, types: unknown): Wire;
  checkValidations(data: Wire, types: unknown, custom: unknown, store: Store): void;
}

type Action = (store: Store, data: Wire, callback: Callback<Wire>) => void;

const require = createRequire(import.meta.url);
const INSTANTLY = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 };

/**
 * dynalite without its HTTP server, so that several of its actions can be made one. This is the only file that knows
 * dynalite's insides; its version is pinned.
 */
export class DynaliteEngine {
  readonly #database = require('dynalite/db') as Database;
  readonly #validations = require('dynalite/validations') as Validations;
  readonly #store: Store;
  readonly #path: string;

  /** `path`: a folder for LevelDB; in memory without. */
  constructor(path?: string) {
    this.#path = path ?? 'its memory';
    this.#store = this.#database.create({ ...INSTANTLY, ...(path === undefined ? {} : { path }) });
  }

  /** Rejects, saying why, when the folder can't be opened. */
  async open(): Promise<void> {
    try {
      await this.#store.db.open();
    } catch (error) {
      const cause = (error as Error).cause ?? error;
      throw new Error(`DynamoDB (dynalite) can't open ${this.#path}: ${(cause as Error).message}`, { cause });
    }
  }

  close(): Promise<void> {
    return promised((done) => this.#store.db.close(done));
  }

  /** One action of dynalite's own. Rejects with a wire error for what DynamoDB would refuse. */
  async execute(operation: string, input: Wire): Promise<Wire> {
    const data = this.validate(operation, input);
    const action = require(`dynalite/actions/${lowerFirst(operation)}`) as Action;
    return promised<Wire>((done) => action(this.#store, data, done));
  }

  /** The input with its expressions parsed. Throws a wire error for what is wrong in itself, whatever the state. */
  validate(operation: string, input: Wire): Wire {
    const rules = require(`dynalite/validations/${lowerFirst(operation)}`) as {
      types: unknown;
      custom: unknown;
    };
    const data = this.#validations.checkTypes(structuredClone(input), rules.types);
    this.#validations.checkValidations(data, rules.types, rules.custom, this.#store);
    return data;
  }

  /** Where the item is that `attributes` names: a key, or with `whole` an item that holds one. */
  async find(tableName: string, attributes: AttributeMap, whole: boolean): Promise<Place> {
    const table = await this.#table(tableName);
    const invalid = whole
      ? this.#database.validateItem(attributes, table)
      : this.#database.validateKey(attributes, table);
    if (invalid) throw invalid;
    const key = this.#database.createKey(attributes, table);
    return { tableName, key, item: await this.#item(tableName, key) };
  }

  async read(place: Place): Promise<AttributeMap | undefined> {
    return this.#item(place.tableName, place.key);
  }

  /** An engine in memory that holds these items only: whatever is tried there leaves this one untouched. */
  async scratch(places: readonly Place[]): Promise<DynaliteEngine> {
    const scratch = new DynaliteEngine();
    for (const name of new Set(places.map((place) => place.tableName))) {
      const table = await this.#table(name);
      await promised<void>((done) => scratch.#store.tableDb.put(name, table, done));
    }
    for (const { tableName, key, item } of places) {
      if (item === undefined) continue;
      await promised<void>((done) =>
        scratch.#store.getItemDb(tableName).put(key, structuredClone(item), done),
      );
    }
    return scratch;
  }

  /** Replaces the items at `places` by `images` (undefined: deleted), with their index entries, in one atomic write. */
  async replace(places: readonly Place[], images: readonly (AttributeMap | undefined)[]): Promise<void> {
    const operations: Batch[] = [];
    for (const [index, place] of places.entries()) {
      operations.push(...(await this.#replacement(place, images[index])));
    }
    await promised<void>((done) => this.#store.db.batch(operations, done));
  }

  async #replacement(place: Place, image: AttributeMap | undefined): Promise<Batch[]> {
    const table = await this.#table(place.tableName);
    const key = `item-${place.tableName}~${place.key}`;
    const item: Batch = image === undefined ? { type: 'del', key } : { type: 'put', key, value: image };
    return [
      ...this.#indexEntries('local', table, table.LocalSecondaryIndexes, place.item, image),
      ...this.#indexEntries('global', table, table.GlobalSecondaryIndexes, place.item, image),
      item,
    ];
  }

  #indexEntries(
    kind: 'local' | 'global',
    table: Table,
    indexes: readonly unknown[] | undefined,
    before: AttributeMap | undefined,
    after: AttributeMap | undefined,
  ): Batch[] {
    const { puts, deletes } = this.#database.getIndexActions(indexes ?? [], before, after, table);
    const keyOf = (entry: IndexAction) => `index-${kind}~${table.TableName}~${entry.index}~${entry.key}`;
    return [
      ...deletes.map((entry): Batch => ({ type: 'del', key: keyOf(entry) })),
      ...puts.map((entry): Batch => ({ type: 'put', key: keyOf(entry), value: entry.item })),
    ];
  }

  async #table(name: string): Promise<Table> {
    return promised<Table>((done) => this.#store.getTable(name, true, done));
  }

  async #item(tableName: string, key: string): Promise<AttributeMap | undefined> {
    const found = await promised<unknown>((done) => this.#store.getItemDb(tableName).get(key, done));
    return found as AttributeMap | undefined;
  }
}

function promised<T>(call: (done: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value as T)));
  });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
