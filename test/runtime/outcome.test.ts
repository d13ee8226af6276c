import { describe, expect, it } from 'vitest';
import type { Log } from '../../functions/domain/ports.ts';
import { errorOf, successOf } from '../../functions/runtime/outcome.ts';

function succeed(value: unknown) {
  const warnings: string[] = [];
  const log: Log = { info: () => {}, warn: (message) => warnings.push(message), error: () => {} };
  return { outcome: successOf(value, log), warnings };
}

describe('a result', () => {
  it.each([
    ['nothing', undefined, {}],
    ['null', null, { result: null }],
    ['a date', { at: new Date(0) }, { result: { at: '1970-01-01T00:00:00.000Z' } }],
    ['values that JSON leaves out', { a: undefined, b: () => 1, c: Number.NaN }, { result: { c: null } }],
  ])('of %s is kept as JSON gives it back', (_what, value, kept) => {
    expect(succeed(value)).toEqual({ outcome: { kind: 'succeeded', ...kept }, warnings: [] });
  });

  it('that JSON can’t say is dropped with a warning that names why; the run stays succeeded', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const dropped = [() => 1, Symbol('x'), 10n, { deep: 10n }, cycle].map(succeed);
    expect(dropped.map(({ outcome }) => outcome)).toEqual(dropped.map(() => ({ kind: 'succeeded' })));
    expect(dropped.map(({ warnings }) => warnings.join().split('\n')[0])).toMatchInlineSnapshot(`
      [
        "the result was dropped: a function has no JSON; return plain JSON values",
        "the result was dropped: a symbol has no JSON; return plain JSON values",
        "the result was dropped: Do not know how to serialize a BigInt; return plain JSON values",
        "the result was dropped: Do not know how to serialize a BigInt; return plain JSON values",
        "the result was dropped: Converting circular structure to JSON",
      ]
    `);
  });

  it('of more than 64 KB of JSON is trimmed: its size is kept, and how it begins', () => {
    const fits = 'é'.repeat(32 * 1024 - 1);
    expect(succeed(fits).outcome).toEqual({ kind: 'succeeded', result: fits });
    const { outcome, warnings } = succeed(`${fits}é`);
    const text = `"${'é'.repeat(32 * 1024 - 2)}…`;
    expect(outcome).toEqual({ kind: 'succeeded', resultTrimmed: { bytes: 64 * 1024 + 2, text } });
    expect(Buffer.byteLength(text)).toBe(64 * 1024);
    expect(warnings).toMatchInlineSnapshot(`
      [
        "the result was trimmed: 65538 bytes of JSON, at most 65536 are kept; store it elsewhere and return where",
      ]
    `);
  });
});

describe('what is kept of a thrown value', () => {
  it('is name, message and stack of an error, whichever copy of a package made it', () => {
    expect(errorOf({ name: 'PaymentError', message: 'refused', stack: 'at …', code: 7 })).toEqual({
      name: 'PaymentError',
      message: 'refused',
      stack: 'at …',
    });
  });

  it.each([
    ['boom', 'boom'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{ code: 7 }, '{"code":7}'],
    [() => 7, 'function'],
  ])('of %j says what it was', (thrown, shown) => {
    const message = `the job threw ${shown}; throw an Error to keep its name and stack`;
    expect(errorOf(thrown)).toEqual({ name: 'NotAnError', message });
  });

  it('is bounded: 2 KB of message, 8 KB of stack, no character cut in half', () => {
    const error = Object.assign(new Error('é'.repeat(3000)), { stack: 's'.repeat(10_000) });
    const { message, stack = '' } = errorOf(error);
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(2048);
    expect(message).toMatch(/^é+…$/);
    expect(stack).toBe(`${'s'.repeat(8192 - 3)}…`);
  });

  it('is well-formed, wherever the author cut a text', () => {
    const half = 'paid 🧾'.slice(0, -1);
    expect(errorOf({ name: half, message: half, stack: half })).toEqual({
      name: 'paid \ufffd',
      message: 'paid \ufffd',
      stack: 'paid \ufffd',
    });
    expect(errorOf(half).message.isWellFormed()).toBe(true);
    expect(JSON.stringify(succeed(half).outcome).isWellFormed()).toBe(true);
  });
});
