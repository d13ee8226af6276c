import { expect, test } from 'vitest';
import { canonicalJson, fingerprint } from '../../functions/domain/fingerprint.ts';

test.each([
  ['', 'cbf29ce484222325'],
  ['a', 'af63dc4c8601ec8c'],
  ['foobar', '85944171f73967e8'],
])('the fingerprint of "%s" is what FNV-1a’s authors publish for it', (text, published) => {
  expect(fingerprint(text)).toBe(published);
});

test('a fingerprint has 16 digits, those in front that are 0 too', () => {
  const short = Array.from({ length: 1_000 }, (_, index) => fingerprint(String(index)));
  expect(short.some((digits) => digits.startsWith('0'))).toBe(true);
  for (const digits of short) expect(digits).toMatch(/^[0-9a-f]{16}$/);
});

test('equal values have equal text, whatever the order they were written in', () => {
  const one = { b: [{ y: 1, x: null }, 'text'], a: { d: 2, c: 3 } };
  const other = { a: { c: 3, d: 2 }, b: [{ x: null, y: 1 }, 'text'] };
  expect(canonicalJson(one)).toBe('{"a":{"c":3,"d":2},"b":[{"x":null,"y":1},"text"]}');
  expect(canonicalJson(other)).toBe(canonicalJson(one));
});

test('a list in another order is another value', () => {
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
});
