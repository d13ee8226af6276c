/** Values of files that anybody may have written, read without trust. */

export type Fields = Readonly<Record<string, unknown>>;

/** The object, or an empty one. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The list, or an empty one; a single thing is a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** The text or number as text; undefined for anything else, for nothing, and for what is known only at deployment. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && !text.includes('${') ? text : undefined;
}

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** YAML's older words included. */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (/^(true|yes|on)$/i.test(value)) return true;
  return /^(false|no|off)$/i.test(value) ? false : undefined;
}

const longest = 200;

/** Any value for people: `!GetAtt Fn.Arn`, a text as it is, the rest as JSON. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return cut(value);
  const [entry, ...others] = Object.entries(fieldsOf(value));
  if (entry !== undefined && others.length === 0 && /^(Ref|Condition|Fn::\w+)$/.test(entry[0])) {
    const [name, argument] = entry;
    const shown =
      name === 'Fn::GetAtt' && Array.isArray(argument) ? argument.join('.') : shownValue(argument);
    return `!${name.replace('Fn::', '')} ${shown}`;
  }
  return cut(JSON.stringify(value) ?? '');
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** `Timeout, Policies`: which of these keys an object has. */
export function presentKeys(fields: Fields, keys: readonly string[]): string[] {
  return keys.filter((key) => fields[key] !== undefined && fields[key] !== null);
}
