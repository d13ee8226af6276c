/** DynamoDB's units of capacity. */
export interface CapacityUnits {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** What a job declares that it used: by name, then by unit, `{ 'reports-db': { reads: 1200 } }`. */
export type Metered = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * What an attempt was measured to use while its code ran. What could not be measured is absent, never 0. What code does in
 * processes of its own isn't part of it.
 */
export interface Bill {
  readonly wallMs: number;
  /** Of all threads of its process. */
  readonly cpuUserMs?: number;
  readonly cpuSystemMs?: number;
  /** The most memory that its process held at once, in MB of 2^20 bytes, as Lambda's setting counts them. */
  readonly peakMemoryMb?: number;
  /** From and to disks; what the system's cache served or still holds back counts when it gets there. */
  readonly readBytes?: number;
  readonly writtenBytes?: number;
  /** Over connections that its process opened, as code sees them: without TLS and what lies below. */
  readonly receivedBytes?: number;
  readonly sentBytes?: number;
  /** The longest that its event loop kept a timer waiting, as code that doesn't yield does. */
  readonly eventLoopDelayMs?: number;
  /** As DynamoDB told of what was sent through `ctx.dynamo`. It tells nothing of writes that it refused. */
  readonly dynamo?: CapacityUnits;
  readonly metered?: Metered;
  /** How long its run had waited for each pool before this attempt, in milliseconds. */
  readonly waitedMs?: Readonly<Record<string, number>>;
}

/** What of a bill a process has used since it began, at one moment. */
export type Reading = Pick<Bill, 'wallMs'> & {
  readonly [Name in (typeof counters)[number] | 'dynamo']?: Bill[Name] | undefined;
};

const counters = [
  'cpuUserMs',
  'cpuSystemMs',
  'readBytes',
  'writtenBytes',
  'receivedBytes',
  'sentBytes',
] as const;

/** What was used from one reading to a later one: what both of them know. */
export function usedBetween(before: Reading, after: Reading): Bill {
  const used = counters.flatMap((name) => {
    const [from, to] = [before[name], after[name]];
    return from === undefined || to === undefined ? [] : [[name, tenths(to - from)] as const];
  });
  const dynamo = unitsBetween(before.dynamo, after.dynamo);
  return {
    wallMs: tenths(after.wallMs - before.wallMs),
    ...Object.fromEntries(used),
    ...(dynamo && { dynamo }),
  };
}

const noUnits: CapacityUnits = { readUnits: 0, writeUnits: 0 };

/** Every request costs some units, so none at all means that there was no request, or none that was told of. */
function unitsBetween(before = noUnits, after = noUnits): CapacityUnits | null {
  const readUnits = after.readUnits - before.readUnits;
  const writeUnits = after.writeUnits - before.writeUnits;
  return readUnits === 0 && writeUnits === 0 ? null : { readUnits, writeUnits };
}

/** More digits than a bill needs would be paid for with each record. */
export function tenths(amount: number): number {
  return Math.round(amount * 10) / 10;
}

/** So that a record stays small: of one attempt, together about 10 KB. */
export const mostMeters = 20;
export const mostUnits = 10;
const longestName = 40;
const longestUnit = 20;
const names = /^[a-z0-9][a-z0-9-]*$/;
const units = /^[A-Za-z][A-Za-z0-9-]*$/;

/**
 * Adds to what was declared under a name.
 *
 * @throws RangeError for a name, a unit or an amount that a bill doesn't take, saying what it takes; nothing is added then
 */
export function addMetered(
  metered: Metered,
  name: string,
  amounts: Readonly<Record<string, number>>,
): Metered {
  checkName(name, metered);
  if (typeof amounts !== 'object' || amounts === null)
    throw new RangeError(`ctx.meter('${name}', …): amounts go by their units, such as { reads: 1200 }`);
  const before = own(metered, name) ?? {};
  const sums = Object.entries(amounts).map(([unit, amount]) => {
    const place = `ctx.meter('${name}', { ${unit.slice(0, longestUnit)}: … })`;
    checkUnit(unit, place);
    return [unit, summed(own(before, unit) ?? 0, amount, place)] as const;
  });
  const after = { ...before, ...Object.fromEntries(sums) };
  if (Object.keys(after).length > mostUnits)
    throw new RangeError(
      `ctx.meter('${name}'): more than ${mostUnits} units of one name; sum up before you declare`,
    );
  return { ...metered, [name]: after };
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function checkName(name: string, metered: Metered): void {
  const place = `ctx.meter(${JSON.stringify(String(name).slice(0, longestName))})`;
  if (typeof name !== 'string' || name.length > longestName || !names.test(name))
    throw new RangeError(
      `${place}: a name such as 'reports-db' has 1 to ${longestName} of a-z, 0-9 and -, and begins with no -`,
    );
  if (own(metered, name) === undefined && Object.keys(metered).length >= mostMeters)
    throw new RangeError(
      `${place}: more than ${mostMeters} names in one attempt; name what is used, not what it is used for`,
    );
}

function checkUnit(unit: string, place: string): void {
  if (unit.length > longestUnit || !units.test(unit))
    throw new RangeError(
      `${place}: a unit such as 'reads' has 1 to ${longestUnit} of A-Z, a-z, 0-9 and -, and begins with a letter`,
    );
}

function summed(before: number, amount: number, place: string): number {
  const sum = before + amount;
  if (typeof amount === 'number' && amount >= 0 && sum <= Number.MAX_SAFE_INTEGER) return sum;
  throw new RangeError(
    `${place}: an amount is a number from 0, and their sum at most ${Number.MAX_SAFE_INTEGER.toLocaleString('en-US')}; got ${String(amount)}`,
  );
}
