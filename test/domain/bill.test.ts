import { describe, expect, test } from 'vitest';
import { addMetered, type Metered, mostMeters, mostUnits, usedBetween } from '../../functions/domain/bill.ts';

describe('what was used between two readings', () => {
  test('is the difference of each counter, to a tenth', () => {
    const before = { wallMs: 100.04, cpuUserMs: 7, cpuSystemMs: 0.5, readBytes: 10, sentBytes: 4 };
    const after = { wallMs: 350.29, cpuUserMs: 9.26, cpuSystemMs: 0.5, readBytes: 4_106, sentBytes: 4 };
    expect(usedBetween(before, after)).toEqual({
      wallMs: 250.3,
      cpuUserMs: 2.3,
      cpuSystemMs: 0,
      readBytes: 4_096,
      sentBytes: 0,
    });
  });

  test('lacks what either of them lacks: nobody knows it', () => {
    const known = { wallMs: 0, writtenBytes: 5, receivedBytes: 5 };
    expect(usedBetween(known, { wallMs: 1, receivedBytes: undefined })).toEqual({ wallMs: 1 });
    expect(usedBetween({ wallMs: 0 }, { ...known, wallMs: 1 })).toEqual({ wallMs: 1 });
  });

  test('has units of DynamoDB only if some were told of', () => {
    const used = { readUnits: 1.5, writeUnits: 2 };
    const dynamo = (before: typeof used | undefined, after: typeof used | undefined) =>
      usedBetween({ wallMs: 0, dynamo: before }, { wallMs: 0, dynamo: after }).dynamo;
    expect(dynamo(undefined, used)).toEqual(used);
    expect(dynamo(used, { readUnits: 2, writeUnits: 2 })).toEqual({ readUnits: 0.5, writeUnits: 0 });
    expect(dynamo(used, { readUnits: 1.5, writeUnits: 3 })).toEqual({ readUnits: 0, writeUnits: 1 });
    expect(dynamo(used, used)).toBeUndefined();
    expect(dynamo(undefined, undefined)).toBeUndefined();
  });
});

describe('what a job declares', () => {
  test('adds up by name and unit, and changes nothing that was declared before', () => {
    const first = addMetered({}, 'reports-db', { reads: 1_200, rows: 0.5 });
    const second = addMetered(first, 'reports-db', { reads: 300, writes: 0 });
    const third = addMetered(second, 'mail', { messages: 1 });
    expect(third).toEqual({ 'reports-db': { reads: 1_500, rows: 0.5, writes: 0 }, mail: { messages: 1 } });
    expect(first).toEqual({ 'reports-db': { reads: 1_200, rows: 0.5 } });
  });

  test('adds up as far as numbers count one by one', () => {
    const nearly = { mail: { messages: Number.MAX_SAFE_INTEGER - 1 } };
    expect(addMetered(nearly, 'mail', { messages: 1 })).toEqual({
      mail: { messages: Number.MAX_SAFE_INTEGER },
    });
  });

  test('is an own field, whatever it is called', () => {
    expect(addMetered({}, 'constructor', { toString: 1 })).toEqual({ constructor: { toString: 1 } });
  });

  test('is refused in a line that is short, whatever was given', () => {
    const long = 'X'.repeat(10_000);
    for (const [name, amounts] of [
      [long, {}],
      ['mail', { [long]: 1 }],
    ] as const)
      expect(() => addMetered({}, name, amounts)).toThrow(/^.{1,200}$/);
  });

  test.each<[string, unknown, unknown]>([
    ['an empty name', '', { reads: 1 }],
    ['a number for a name', 7, { reads: 1 }],
    ['a capital', 'Mail', { messages: 1 }],
    ['a unit with a mark', 'mail', { 'messages!': 1 }],
    ['another alphabet', 'Reports DB', { reads: 1 }],
    ['a long name', 'a'.repeat(41), { reads: 1 }],
    ['a name with a line end', 'mail\n', { reads: 1 }],
    ['a unit that begins with a digit', 'mail', { '4xx': 1 }],
    ['a unit without letters', 'mail', { '': 1 }],
    ['a long unit', 'mail', { ['a'.repeat(21)]: 1 }],
    ['less than nothing', 'mail', { messages: -1 }],
    ['no number', 'mail', { messages: Number.NaN }],
    ['an amount without end', 'mail', { messages: Number.POSITIVE_INFINITY }],
    ['a text', 'mail', { messages: '7' }],
    ['a number alone', 'mail', 7],
    ['nothing', 'mail', null],
  ])('with %s is refused', (_what, name, amounts) => {
    expect(() => addMetered({}, name as string, amounts as Metered[string])).toThrow(RangeError);
  });

  test('is refused with the place, what is allowed, and what was given', () => {
    const told = (name: string, amounts: unknown, before: Metered = {}) => {
      try {
        return addMetered(before, name, amounts as Metered[string]);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect([
      told('Reports DB', {}),
      told('mail', 7),
      told('mail', { '4xx': 1 }),
      told('mail', { messages: -1 }),
      told('mail', { messages: 2 ** 53 - 2 }, { mail: { messages: 2 } }),
      told('one-more', {}, withNames(mostMeters)),
      told('mail', { oneMore: 1 }, { mail: withUnits(mostUnits) }),
    ]).toMatchInlineSnapshot(`
      [
        "ctx.meter("Reports DB"): a name such as 'reports-db' has 1 to 40 of a-z, 0-9 and -, and begins with no -",
        "ctx.meter('mail', …): amounts go by their units, such as { reads: 1200 }",
        "ctx.meter('mail', { 4xx: … }): a unit such as 'reads' has 1 to 20 of A-Z, a-z, 0-9 and -, and begins with a letter",
        "ctx.meter('mail', { messages: … }): an amount is a number from 0, and their sum at most 9,007,199,254,740,991; got -1",
        "ctx.meter('mail', { messages: … }): an amount is a number from 0, and their sum at most 9,007,199,254,740,991; got 9007199254740990",
        "ctx.meter("one-more"): more than 20 names in one attempt; name what is used, not what it is used for",
        "ctx.meter('mail'): more than 10 units of one name; sum up before you declare",
      ]
    `);
  });

  test('goes on under known names and units when there may be no more of them', () => {
    const full = withNames(mostMeters);
    expect(Object.keys(addMetered(full, 'name-0', withUnits(mostUnits)))).toHaveLength(mostMeters);
    const units = addMetered({ mail: withUnits(mostUnits) }, 'mail', { u0: 1 });
    expect(units.mail).toEqual({ ...withUnits(mostUnits), u0: 1 });
  });

  test('is at most 11 KB of JSON', () => {
    const units = Array.from({ length: mostUnits }, (_, n) => `unit-${n}-`.padEnd(20, 'u'));
    const amounts = Object.fromEntries(units.map((unit) => [unit, 1 / 3]));
    const names = Array.from({ length: mostMeters }, (_, n) => `name-${n}-`.padEnd(40, 'n'));
    const metered = names.reduce<Metered>((all, name) => addMetered(all, name, amounts), {});
    const bytes = JSON.stringify(metered).length;
    expect(bytes).toBeGreaterThan(8_000);
    expect(bytes).toBeLessThan(11 * 1024);
  });
});

function withNames(count: number): Metered {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`name-${n}`, {}]));
}

function withUnits(count: number): Metered[string] {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`u${n}`, 0]));
}
