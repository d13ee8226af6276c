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

  add(name: string, amount: number): this {
    this.#name(name);
    this.#values[`:more${name}`] = attributeOf(amount);
    this.#add += `${this.#add === '' ? 'ADD ' : ', '}#${name} :more${name}`;
    return this;
  }

  get areNone(): boolean {
    return this.#text === '';
  }

  /** The part of a request that says what it changes, and under which conditions. To be asked for once. */
  under(...conditions: readonly Condition[]): ConditionInput & { UpdateExpression: string } {
    return { ...expressed(conditions, this.#names, this.#values), UpdateExpression: this.#text };
  }

  get #text(): string {
    return [this.#set, this.#remove, this.#add].filter((clause) => clause !== '').join(' ');
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
