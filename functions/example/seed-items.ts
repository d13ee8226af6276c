import { isoSeconds, monthBefore } from './days.ts';
import type { BankLine, ExampleItems, Invoice, Payment, Sale, Session, StockMovement } from './items.ts';

/** The tables that start with something in them; the jobs fill the others. */
export type SeededItems = Pick<
  ExampleItems,
  'payments' | 'bank-lines' | 'invoices' | 'sessions' | 'sales' | 'stock-movements'
>;
export type SeededTableName = keyof SeededItems;

const dayMs = 24 * 3_600_000;
const perDay = 100;
/** Hours ahead of UTC. */
const taipei = 8;
const products = [
  'anchor',
  'bell',
  'compass',
  'dinghy',
  'ensign',
  'fender',
  'gaff',
  'halyard',
  'inkstone',
  'jib',
];

/**
 * The data that the example app starts with, the same for the same `now`: payments and sales of yesterday, today and
 * tomorrow, so that the first night's jobs find work; invoices of last month and this one.
 */
export function seedItems(now: Date): { readonly [Table in SeededTableName]: readonly SeededItems[Table][] } {
  return {
    payments: daysAround(now, taipei).flatMap(paymentsOf),
    'bank-lines': daysAround(now, taipei).flatMap(bankLinesOf),
    invoices: [monthBefore(isoSeconds(now)), isoSeconds(now).slice(0, 7)].flatMap(invoicesOf),
    sessions: sessionsAround(now),
    sales: daysAround(now, 0).flatMap(salesOf),
    'stock-movements': products.flatMap((product) => movementsOf(product, now)),
  };
}

/** Yesterday, today and tomorrow where clocks are so many hours ahead of UTC. */
function daysAround(now: Date, hoursAhead: number): string[] {
  const local = now.getTime() + hoursAhead * 3_600_000;
  return [-1, 0, 1].map((days) => new Date(local + days * dayMs).toISOString().slice(0, 10));
}

/** From the first second of the day in Taipei to its last. */
function paymentsOf(day: string): Payment[] {
  const midnight = Date.parse(`${day}T00:00:00+08:00`);
  return numbers(perDay)
    .filter((n) => n !== plantedUnknown)
    .map((n) => {
      const reference = referenceOf(day, n);
      const paidAt = new Date(midnight + Math.floor((n * 86_399) / (perDay - 1)) * 1_000);
      return {
        merchant: 'shop',
        paidAt: `${isoSeconds(paidAt)}#${reference}`,
        reference,
        amount: amountOf(n),
      };
    });
}

/** Five planted differences a day: two lines that the bank lacks, two with another amount, one that nobody paid. */
const plantedMissing = [10, 40];
const plantedAmounts = [20, 50];
const plantedUnknown = 30;

function bankLinesOf(day: string): BankLine[] {
  return numbers(perDay)
    .filter((n) => !plantedMissing.includes(n))
    .map((n) => ({
      bookedOn: day,
      reference: referenceOf(day, n),
      amount: amountOf(n) - (plantedAmounts.includes(n) ? 30 : 0),
    }));
}

function referenceOf(day: string, n: number): string {
  return `pay-${day.replaceAll('-', '')}-${padded(n)}`;
}

function invoicesOf(month: string): Invoice[] {
  return numbers(20).map((n) => ({
    billedFor: month,
    invoice: `inv-${month}-${padded(n)}`,
    email: `customer-${padded(n)}@example.com`,
    amount: amountOf(n),
    currency: 'EUR',
  }));
}

/** Every other one expired, minute by minute; the rest expire hour by hour. */
function sessionsAround(now: Date): Session[] {
  return numbers(200).map((n) => ({
    sessionId: `session-${padded(n)}`,
    expiresAt: isoSeconds(new Date(now.getTime() + (n % 2 === 0 ? -n * 60_000 : n * 3_600_000))),
  }));
}

function salesOf(day: string): Sale[] {
  return numbers(perDay).map((n) => {
    const quantity = (n % 3) + 1;
    return {
      soldOn: day,
      sale: `sale-${padded(n)}`,
      product: productOf(n),
      quantity,
      amount: quantity * amountOf(n),
    };
  });
}

/** One delivery of 100, then a sale of 1 to 3 on each of the 19 days up to now. */
function movementsOf(product: string, now: Date): StockMovement[] {
  return numbers(20).map((n) => ({
    product,
    movedAt: `${isoSeconds(new Date(now.getTime() - (20 - n) * dayMs))}#${padded(n)}`,
    quantity: n === 0 ? 100 : -((n % 3) + 1),
  }));
}

function productOf(n: number): string {
  return products[n % products.length] ?? '';
}

function amountOf(n: number): number {
  return 1_000 + ((n * 7_919) % 9_000);
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function padded(n: number): string {
  return String(n).padStart(3, '0');
}
