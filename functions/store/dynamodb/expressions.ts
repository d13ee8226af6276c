import { type Attributes, attributeOf, type Unsaid } from './attributes.ts';

/** A condition with the names and values that it speaks of. */
export interface Condition {
  readonly text: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Attributes>;
}

/** What a write changes of one item. Attributes go by their own names after a #, since many of ours are reserved words. */
export class Changes {
  #set = '';
  #remove = '';
  #add = '';
  #delete = '';
  readonly #spelled: Readonly<Record<string, string>>;
  readonly #names: Record<string, string> = {};
  readonly #values: Attributes = {};

  /** `spelled`: the names of attributes that an expression can't hold, by what they go by in it. */
  constructor(spelled: Readonly<Record<string, string>> = {}) {
    this.#spelled = spelled;
  }

  set(name: string, value: unknown): this {
    return this.#assign(name, `:${name}`, value);
  }

  /** Sets the values that are there. One that goes unsaid is removed instead. */
  setAll(values: object, unsaid: Unsaid = {}): this {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue;
      if (value === unsaid[name]) this.remove(name);
      else this.set(name, value);
    }
    return this;
  }

  append(list: string, lines: readonly string[]): this {
    return this.#assign(list, `list_append(#${list}, :${list})`, lines);
  }

  remove(...names: readonly string[]): this {
    for (const name of names) {
      this.#name(name);
      this.#remove += `${this.#remove === '' ? 'REMOVE ' : ', '}#${name}`;
    }
    return this;
  }

  /** To a number, or to a set. */
  add(name: string, amount: number | ReadonlySet<number>): this {
    this.#name(name);
    this.#values[`:more${name}`] = attributeOf(amount);
    this.#add += `${this.#add === '' ? 'ADD ' : ', '}#${name} :more${name}`;
    return this;
  }

  /** From a set. */
  delete(name: string, members: ReadonlySet<number>): this {
    this.#name(name);
    this.#values[`:less${name}`] = attributeOf(members);
    this.#delete += `${this.#delete === '' ? 'DELETE ' : ', '}#${name} :less${name}`;
    return this;
  }

  get areNone(): boolean {
    return this.#text === '';
  }

  /** The part of a request that says what it changes, and under which conditions. To be asked for once. */
  under(...conditions: readonly Condition[]): ConditionInput & { UpdateExpression: string } {
    return { ...expressed(conditions, this.#names, this.#values), UpdateExpression: this.#text };
  }

  /** The same, whatever the item is, or whether there is one. */
  unconditional(): Pick<ConditionInput, 'ExpressionAttributeNames'> & {
    UpdateExpression: string;
    ExpressionAttributeValues: Attributes;
  } {
    return {
      UpdateExpression: this.#text,
      ExpressionAttributeNames: this.#names,
      ExpressionAttributeValues: this.#values,
    };
  }

  get #text(): string {
    return [this.#set, this.#remove, this.#add, this.#delete].filter((clause) => clause !== '').join(' ');
  }

  #assign(name: string, operand: string, value: unknown): this {
    this.#name(name);
    this.#values[`:${name}`] = attributeOf(value);
    this.#set += `${this.#set === '' ? 'SET ' : ', '}#${name} = ${operand}`;
    return this;
  }

  #name(name: string): void {
    this.#names[`#${name}`] = this.#spelled[name] ?? name;
  }
}

/** The part of a request that says under which conditions it writes; the loser is handed the item that stood in its way. */
export interface ConditionInput {
  ConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD';
}

export function under(...conditions: readonly Condition[]): ConditionInput {
  return expressed(conditions, {}, {});
}

function expressed(
  conditions: readonly Condition[],
  names: Record<string, string>,
  values: Attributes,
): ConditionInput {
  for (const condition of conditions) {
    Object.assign(names, condition.names);
    Object.assign(values, condition.values);
  }
  return {
    ConditionExpression: conditions.map(({ text }) => text).join(' AND '),
    ExpressionAttributeNames: names,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    // DynamoDB refuses an empty map.
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}
