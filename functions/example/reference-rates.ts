import { XMLParser } from 'fast-xml-parser';
import type { Rate } from './items.ts';

/** The shape that the European Central Bank publishes, once a working day; anything may be absent until it is checked. */
interface ReferenceRates {
  readonly Envelope?: {
    readonly Cube?: {
      readonly Cube?: {
        readonly time?: string;
        readonly Cube?: readonly { currency?: string; rate?: string }[];
      };
    };
  };
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  // The file needs none, and an entity is the way in which a small document becomes a huge one.
  processEntities: false,
  isArray: (_name, path) => path === 'Envelope.Cube.Cube.Cube',
});

/** Reads the bank's daily reference rates; throws an error that says what is wrong with the document. */
export function parseReferenceRates(xml: string): Rate[] {
  const day = parse(xml).Envelope?.Cube?.Cube;
  if (!day?.time || !/^\d{4}-\d{2}-\d{2}$/.test(day.time)) {
    throw new Error('no reference rates: expected <Cube time="YYYY-MM-DD"> inside Envelope and Cube');
  }
  const { time, Cube: rates = [] } = day;
  if (rates.length === 0)
    throw new Error(`no reference rates of ${time}: expected <Cube currency="USD" rate="1.05"/>`);
  return rates.map(({ currency = '', rate = '' }) => checkedRate(time, currency, rate));
}

function parse(xml: string): ReferenceRates {
  try {
    return parser.parse(xml, true) as ReferenceRates;
  } catch (error) {
    throw new Error(`malformed XML: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function checkedRate(day: string, currency: string, text: string): Rate {
  const rate = Number(text);
  if (!/^[A-Z]{3}$/.test(currency) || !(rate > 0 && rate < Number.POSITIVE_INFINITY)) {
    throw new Error(
      `bad reference rate of ${day}: currency "${currency}", rate "${text}"; expected three letters and a number above 0`,
    );
  }
  return { day, currency, rate };
}
