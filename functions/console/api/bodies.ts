import { instantOf } from '../../cli/instants.ts';
import { oneLine } from '../../cli/render/text.ts';
import { AskedWrongly } from './view.ts';

/** The fields of a request's body, none of which may be taken for what it should be. */
export type Body = Readonly<Record<string, unknown>>;

const longestNote = 1_000;

/** @throws AskedWrongly when it is no object, or has a field that isn't among `fields` */
export function bodyOf(value: unknown, fields: readonly string[]): Body {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AskedWrongly('the body must be a JSON object');
  const unknown = Object.keys(value).find((field) => !fields.includes(field));
  if (unknown !== undefined)
    throw new AskedWrongly(
      `there is no field "${oneLine(unknown.slice(0, 40))}"; there are ${fields.join(', ')}`,
    );
  return { ...value };
}

export function textIn(body: Body, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || value === '') throw new AskedWrongly(`${field} must be a text`);
  return value;
}

/** What is said for those who read the record later; an empty one is none. */
export function noteIn({ note }: Body): { readonly note?: string } {
  if (note === undefined || note === '') return {};
  if (typeof note !== 'string') throw new AskedWrongly('note must be a text');
  if (note.length > longestNote) throw new AskedWrongly(`note has at most ${longestNote} characters`);
  return { note };
}

/**
 * An instant as `fl` reads it: without a zone it is the job's. Undefined: it isn't said.
 *
 * @throws UserError for what is none, or one of two
 */
export function instantIn(
  body: Body,
  field: string,
  { timezone, now }: { timezone: string; now: number },
): number | undefined {
  if (body[field] === undefined) return undefined;
  return instantOf(textIn(body, field), { timezone, now, what: field });
}

export function flagIn(body: Body, field: string): boolean | undefined {
  const value = body[field];
  if (value === undefined || typeof value === 'boolean') return value;
  throw new AskedWrongly(`${field} must be true or false`);
}

export function countIn(body: Body, field: string): number | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
    throw new AskedWrongly(`${field} must be a number above 0`);
  return value;
}

export function oneOf<const T extends string>(body: Body, field: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === body[field]);
  if (found === undefined) throw new AskedWrongly(`${field} must be one of ${allowed.join(', ')}`);
  return found;
}
