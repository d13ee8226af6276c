import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { convertToAttr } from '@aws-sdk/util-dynamodb';

export type Attributes = Record<string, AttributeValue>;

/**
 * A value as DynamoDB spells it. The types that nearly all of ours have are spelled here, since the SDK's own conversion
 * asks every value for a dozen types first.
 */
export function attributeOf(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (Number.isSafeInteger(value)) return { N: String(value) };
  if (Array.isArray(value)) return { L: value.map(attributeOf) };
  if (isPlain(value)) return { M: attributesOf(value) };
  return convertToAttr(value);
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** What an item says by leaving it out, so that the most common item is the smallest. */
export type Unsaid = Readonly<Record<string, unknown>>;

/** Of the values that are there and have to be said. */
export function attributesOf(values: object, unsaid: Unsaid = {}): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== unsaid[name]) attributes[name] = attributeOf(value);
  return attributes;
}
