/** The items of the example app's tables. Amounts are in the currency's smallest unit; instants are ISO UTC with second precision. */

export interface Payment {
  readonly merchant: string;
  /** `2026-11-29T16:00:00Z#pay-20261130-000`: the instant, then the reference. */
  readonly paidAt: string;
  readonly reference: string;
  readonly amount: number;
}

export interface BankLine {
  /** The bank's calendar day: `2026-11-30`. */
  readonly bookedOn: string;
  readonly reference: string;
  readonly amount: number;
}

export interface Difference {
  readonly day: string;
  readonly reference: string;
  /** null: we know of no such payment. */
  readonly paid: number | null;
  /** null: the bank has no such line. */
  readonly banked: number | null;
}

export interface Invoice {
  /** The month that it is for: `2026-11`. */
  readonly billedFor: string;
  readonly invoice: string;
  readonly email: string;
  readonly amount: number;
  readonly currency: string;
}

export interface Session {
  readonly sessionId: string;
  readonly expiresAt: string;
}

export interface Rate {
  readonly day: string;
  readonly currency: string;
  /** How much of the currency one euro buys. */
  readonly rate: number;
}

export interface UptimeCheck {
  readonly endpoint: string;
  /** The fire that asked for it. */
  readonly dueAt: string;
  /** Later than that when the check was made up for. */
  readonly checkedAt: string;
  /** The HTTP status, or why there was none: `timed-out`, `connect ECONNREFUSED …`. */
  readonly status: number | string;
  readonly up: boolean;
  readonly latencyMs: number;
  /** Seconds since the epoch. */
  readonly ttl: number;
}

export interface Sale {
  readonly soldOn: string;
  readonly sale: string;
  readonly product: string;
  readonly quantity: number;
  readonly amount: number;
}

export interface StockMovement {
  readonly product: string;
  /** `2026-11-30T08:00:00Z#0007`: the instant, then a number. */
  readonly movedAt: string;
  /** Positive: received. Negative: shipped. */
  readonly quantity: number;
}

export interface Report {
  readonly report: string;
  readonly day: string;
  /** By product. */
  readonly totals: Readonly<Record<string, number>>;
}

/** What each table holds. */
export interface ExampleItems {
  payments: Payment;
  'bank-lines': BankLine;
  differences: Difference;
  invoices: Invoice;
  sessions: Session;
  rates: Rate;
  'uptime-checks': UptimeCheck;
  sales: Sale;
  'stock-movements': StockMovement;
  reports: Report;
}
