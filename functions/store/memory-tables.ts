import { isDeepStrictEqual } from 'node:util';
import type { AuthorWrite } from '../domain/steps.ts';

export type MemoryItem = Readonly<Record<string, unknown>>;

/** The key attributes of tables, by name. A table that isn't named has pk and sk, or id. */
export type TableKeys = Readonly<Record<string, readonly string[]>>;

/** Told of each write of an item; null: there was, or is, none. */
export type TableWatch = (table: string, before: MemoryItem | null, after: MemoryItem | null) => void;

interface Write {
  readonly TableName?: unknown;
  readonly Item?: MemoryItem;
  readonly Key?: MemoryItem;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: MemoryItem;
}

/** The next item in a place; null: none. */
interface Change {
  readonly table: string;
  readonly key: string;
  readonly next: MemoryItem | null;
}

const usualKeys = [['pk', 'sk'], ['pk'], ['id']] as const;
const kinds = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const;

/**
 * Tables of authors in memory, for their commits: puts, deletes, condition checks, and updates with `SET a = :v`,
 * `SET a = a + :v` and `ADD a :v`; conditions of `attribute_exists(a)`, `attribute_not_exists(a)` and `a = :v` (or `<>`, `<`,
 * `<=`, `>`, `>=`), joined by AND. Anything else is refused, saying so.
 */
export class MemoryTables {
  readonly #keys: TableKeys;
  readonly #watch: TableWatch | undefined;
  readonly #tables = new Map<string, Map<string, MemoryItem>>();

  constructor(keys: TableKeys = {}, watch?: TableWatch) {
    this.#keys = keys;
    this.#watch = watch;
  }

  /** What writes come to, none of which is done yet. `failed`: the places of those whose conditions don't hold. */
  try(writes: readonly AuthorWrite[]): { readonly failed: number[]; readonly changes: Change[] } {
    const tried = writes.map((write) => this.#try(write));
    const failed = tried.flatMap(({ holds }, index) => (holds ? [] : [index]));
    const changes = tried.flatMap(({ change }) => change ?? []);
    return { failed, changes };
  }

  apply(changes: readonly Change[]): void {
    for (const { table, key, next } of changes) {
      const items = this.#tables.get(table) ?? new Map<string, MemoryItem>();
      this.#tables.set(table, items);
      const before = items.get(key) ?? null;
      if (next === null) items.delete(key);
      else items.set(key, next);
      this.#watch?.(table, before, next);
    }
  }

  put(table: string, item: MemoryItem): void {
    this.apply(this.try([{ Put: { TableName: table, Item: item } }]).changes);
  }

  /** By table, in the order in which they were first written. */
  get items(): Readonly<Record<string, readonly MemoryItem[]>> {
    return Object.fromEntries([...this.#tables].map(([name, items]) => [name, [...items.values()]]));
  }

  #try(of: AuthorWrite): { readonly holds: boolean; readonly change?: Change } {
    const kind = kinds.find((one) => of[one] !== undefined);
    const write: Write = (kind && of[kind]) ?? {};
    const named = write.Item ?? write.Key;
    if (kind === undefined || named === undefined || typeof write.TableName !== 'string')
      throw new Error(
        `a write needs its TableName, and an Item to put or the Key of an item: ${JSON.stringify(of)}`,
      );
    const table = write.TableName;
    const key = this.#keyOf(table, named);
    const standing = this.#tables.get(table)?.get(key);
    const holds = conditionHolds(write, standing);
    return kind === 'ConditionCheck'
      ? { holds }
      : { holds, change: { table, key, next: nextOf(write, standing) } };
  }

  #keyOf(table: string, named: MemoryItem): string {
    const names = this.#keys[table] ?? usualKeys.find((usual) => usual.every((name) => name in named));
    if (names === undefined || !names.every((name) => name in named))
      throw new Error(
        `which attributes are the key of ${table} is not known in memory: name them, such as { ${JSON.stringify(table)}: ['employee'] }`,
      );
    return JSON.stringify(names.map((name) => named[name]));
  }
}

function nextOf(
  { Item: item, Key: key, ...write }: Write,
  standing: MemoryItem | undefined,
): MemoryItem | null {
  if (item !== undefined) return item;
  if (write.UpdateExpression === undefined) return null;
  let next: MemoryItem = { ...key, ...standing };
  for (const clause of write.UpdateExpression.trim().split(/\s+(?=(?:SET|ADD|REMOVE|DELETE)\s)/)) {
    const [, verb, list] = /^(SET|ADD)\s+(.*)$/s.exec(clause) ?? [];
    if (verb === undefined || list === undefined) throw unsupported(clause);
    for (const part of list.split(',')) next = { ...next, ...assigned(verb, part.trim(), next, write) };
  }
  return next;
}

function assigned(verb: string, part: string, item: MemoryItem, write: Write): MemoryItem {
  const pattern = verb === 'ADD' ? /^(#?\w+)\s+()(:\w+)$/ : /^(#?\w+)\s*=\s*(?:(#?\w+)\s*\+\s*)?(:\w+)$/;
  const [, name, base, value] = pattern.exec(part) ?? [];
  if (name === undefined || value === undefined) throw unsupported(part);
  const given = givenAs(value, write);
  const from = verb === 'ADD' ? nameOf(name, write) : base && nameOf(base, write);
  return {
    [nameOf(name, write)]: from ? sum(item[from] ?? (verb === 'ADD' ? 0 : undefined), given, part) : given,
  };
}

function sum(a: unknown, b: unknown, part: string): number {
  if (typeof a !== 'number' || typeof b !== 'number') throw unsupported(part);
  return a + b;
}

function conditionHolds(write: Write, item: MemoryItem = {}): boolean {
  const { ConditionExpression: text } = write;
  return text === undefined || text.split(/\s+AND\s+/).every((part) => partHolds(part.trim(), item, write));
}

function partHolds(part: string, item: MemoryItem, write: Write): boolean {
  const [, not, attribute] = /^attribute_(not_)?exists\s*\(\s*(#?\w+)\s*\)$/.exec(part) ?? [];
  if (attribute !== undefined) return nameOf(attribute, write) in item === (not === undefined);
  const [, name, operator, value] = /^(#?\w+)\s*(=|<>|<=|>=|<|>)\s*(:\w+)$/.exec(part) ?? [];
  if (name === undefined || operator === undefined || value === undefined) throw unsupported(part);
  return compared(item[nameOf(name, write)], operator, givenAs(value, write));
}

function compared(a: unknown, operator: string, b: unknown): boolean {
  if (operator === '=') return isDeepStrictEqual(a, b);
  if (operator === '<>') return !isDeepStrictEqual(a, b);
  const isOrdered =
    (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
  if (!isOrdered) return false;
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

function nameOf(name: string, { ExpressionAttributeNames: names = {} }: Write): string {
  if (!name.startsWith('#')) return name;
  const spelled = names[name];
  if (spelled === undefined) throw new Error(`ExpressionAttributeNames lacks ${name}`);
  return spelled;
}

function givenAs(name: string, { ExpressionAttributeValues: values = {} }: Write): unknown {
  if (!(name in values)) throw new Error(`ExpressionAttributeValues lacks ${name}`);
  return values[name];
}

function unsupported(part: string): Error {
  return new Error(
    `tables in memory do not know ${JSON.stringify(part)}: have the job write to a local DynamoDB instead (npm start has one)`,
  );
}
