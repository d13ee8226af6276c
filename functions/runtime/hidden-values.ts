/** A shorter value is part of too much that is no secret. */
const shortest = 6;

/** Secrets that were read, and must be seen nowhere. */
export class HiddenValues {
  readonly #names = new Map<string, string>();
  #pattern: RegExp | undefined;

  /** From now on `[secret NAME]` stands for it. */
  add(name: string, value: string): void {
    if (value.length < shortest) return;
    const before = this.#names.size;
    for (const form of formsOf(value)) if (!this.#names.has(form)) this.#names.set(form, name);
    if (this.#names.size === before) return;
    const longestFirst = [...this.#names.keys()].sort((one, other) => other.length - one.length);
    this.#pattern = new RegExp(longestFirst.map(literally).join('|'), 'g');
  }

  /** The same without the values, wherever they are in it: itself when there are none, otherwise a copy. */
  hide<T>(of: T): T {
    return this.#pattern === undefined ? of : (this.#within(of, []) as T);
  }

  #within(value: unknown, above: readonly object[]): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (above.includes(value)) return '[circular]';
    const below = [...above, value];
    if (Array.isArray(value)) return changed(value, (item) => this.#within(item, below));
    if (value instanceof Error) return this.#error(value, below);
    if ('toJSON' in value && typeof value.toJSON === 'function')
      return this.#serialised(value, value.toJSON(), below);
    return this.#fields(value, below);
  }

  #text(text: string): string {
    return this.#pattern === undefined
      ? text
      : text.replace(this.#pattern, (form) => `[secret ${this.#names.get(form)}]`);
  }

  /** What becomes another text as JSON, such as a date or a URL. */
  #serialised(value: object, json: unknown, below: readonly object[]): unknown {
    const hidden = this.#within(json, below);
    return hidden === json ? value : hidden;
  }

  #fields(value: object, below: readonly object[]): unknown {
    const entries: [string, unknown][] = Object.entries(value);
    const hidden = changed<[string, unknown]>(entries, (entry) => {
      const [key, inner] = [this.#text(entry[0]), this.#within(entry[1], below)];
      return key === entry[0] && inner === entry[1] ? entry : [key, inner];
    });
    return hidden === entries ? value : Object.fromEntries(hidden);
  }

  /** Of the same class, since that is how a log tells an error. */
  #error(error: Error, below: readonly object[]): Error {
    const keys = [...new Set([...Reflect.ownKeys(error), 'name', 'message', 'stack'])];
    const parts = keys.map((key) => {
      const value: unknown = Reflect.get(error, key);
      return { key, value, hidden: this.#within(value, below) };
    });
    if (parts.every(({ value, hidden }) => value === hidden)) return error;
    const copy = Object.create(Object.getPrototypeOf(error));
    for (const { key, hidden } of parts) {
      const enumerable = Object.getOwnPropertyDescriptor(error, key)?.enumerable ?? false;
      Object.defineProperty(copy, key, { value: hidden, enumerable, configurable: true, writable: true });
    }
    return copy;
  }
}

/** The list itself when nothing in it became another. */
function changed<T>(list: readonly T[], become: (item: T) => T): readonly T[] {
  const made = list.map(become);
  return made.every((item, index) => item === list[index]) ? list : made;
}

/** As it is, as part of JSON, and as part of a URL. */
function formsOf(value: string): Set<string> {
  const text = value.toWellFormed();
  return new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(text)]);
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
