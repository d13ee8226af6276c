import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseReferenceRates } from '../../functions/example/reference-rates.ts';

const envelope = (inner: string) =>
  `<gesmes:Envelope xmlns:gesmes="g"><Cube>${inner}</Cube></gesmes:Envelope>`;

test("every currency of the bank's file is read, with its day", async () => {
  const rates = parseReferenceRates(
    await readFile(new URL('../../functions/example/eurofxref-daily.xml', import.meta.url), 'utf8'),
  );
  expect(rates).toHaveLength(16);
  expect(rates[0]).toEqual({ day: '2026-11-27', currency: 'USD', rate: 1.1592 });
});

test('a day with a single currency is a list too', () => {
  expect(
    parseReferenceRates(envelope(`<Cube time="2026-11-27"><Cube currency="USD" rate="1.05"/></Cube>`)),
  ).toEqual([{ day: '2026-11-27', currency: 'USD', rate: 1.05 }]);
});

test.each([
  ['text that is not XML', 'Service unavailable', /malformed XML|no reference rates/],
  ['a document cut off half-way', '<gesmes:Envelope><Cube><Cube time="2026-11-27">', /malformed XML: .*Cube/],
  ['another document', '<html><body/></html>', /no reference rates: expected <Cube time/],
  ['a day without rates', envelope('<Cube time="2026-11-27"></Cube>'), /no reference rates of 2026-11-27/],
  [
    'a rate that is no number',
    envelope('<Cube time="2026-11-27"><Cube currency="USD" rate="N/A"/></Cube>'),
    /bad reference rate of 2026-11-27: currency "USD", rate "N\/A"/,
  ],
])('%s is refused with what is wrong with it', (_what, xml, message) => {
  expect(() => parseReferenceRates(xml)).toThrow(message);
});

test('entities are not expanded', () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "1.5">]>${envelope('<Cube time="2026-11-27"><Cube currency="USD" rate="&a;"/></Cube>')}`;
  expect(() => parseReferenceRates(bomb)).toThrow(/rate "&a;"/);
});
