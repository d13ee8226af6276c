import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

/** A condition with the names and values that it speaks of. */
export interface Condition {
  readonly text: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

export function all(...conditions: readonly Condition[]): Condition {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const condition of conditions) {
    Object.assign(names, condition.names);
    Object.assign(values, condition.values);
  }
  return { text: conditions.map(({ text }) => text).join(' AND '), names, values };
}

/** What a write changes of one item. Every attribute goes by its own name, since many of ours are reserved words. */
export class Changes {
  readonly #sets: string[] = [];
  readonly #removes: string[] = [];
  readonly #adds: string[] = [];
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};

  set(name: string, value: unknown): this {
    this.values[`:${name}`] = value;
    this.#sets.push(`${this.#name(name)} = :${name}`);
    return this;
  }

  setAll(attributes: Readonly<Record<string, unknown>>): this {
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined) this.set(name, value);
    return this;
  }

  append(list: string, lines: readonly string[]): this {
    const name = this.#name(list);
    this.values[`:${list}`] = lines;
    this.#sets.push(`${name} = list_append(${name}, :${list})`);
    return this;
  }

  remove(...names: readonly string[]): this {
    for (const name of names) this.#removes.push(this.#name(name));
    return this;
  }

  increment(name: string): this {
    this.values[':one'] = 1;
    this.#adds.push(`${this.#name(name)} :one`);
    return this;
  }

  get text(): string {
    const clauses = { SET: this.#sets, REMOVE: this.#removes, ADD: this.#adds };
    return Object.entries(clauses)
      .filter(([, parts]) => parts.length > 0)
      .map(([word, parts]) => `${word} ${parts.join(', ')}`)
      .join(' ');
  }

  #name(name: string): string {
    this.names[`#${name}`] = name;
    return `#${name}`;
  }
}

export interface ConditionInput {
  ConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue>;
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD';
}

/** The part of a request that says under which condition it writes; the loser is handed the item that stood in its way. */
export function under(condition: Condition): ConditionInput {
  return { ConditionExpression: condition.text, ...placeholders(condition), ...oldItem };
}

/** The part of a request that says what it changes, and under which condition. */
export function changing(
  changes: Changes,
  condition: Condition,
): ConditionInput & { UpdateExpression: string } {
  const names = { ...changes.names, ...condition.names };
  const values = { ...changes.values, ...condition.values };
  return {
    UpdateExpression: changes.text,
    ConditionExpression: condition.text,
    ...placeholders({ names, values }),
    ...oldItem,
  };
}

const oldItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

function placeholders({ names, values }: Pick<Condition, 'names' | 'values'>) {
  const attributes: Record<string, AttributeValue> = marshall(values, { removeUndefinedValues: true });
  return {
    ExpressionAttributeNames: { ...names },
    ...(Object.keys(attributes).length === 0 ? {} : { ExpressionAttributeValues: attributes }),
  };
}
