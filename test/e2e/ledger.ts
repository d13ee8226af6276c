import { expect } from 'vitest';
import { minute, second } from '../../functions/domain/time.ts';
import { flJson, type System } from './system.ts';

/** What `fl show --json` tells of a run, as far as scenarios look at it. */
export interface RunJson {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly reason?: string;
  readonly trigger: string;
  readonly fireTime: string;
  readonly supersededBy?: string;
  readonly cancelRequested?: {
    readonly at: string;
    readonly by: string;
    readonly reason: string;
    readonly note?: string;
  };
  readonly covers?: readonly string[];
  readonly timedOutAt?: string;
  readonly settledAt?: string;
  readonly suspected?: { readonly at: string; readonly why: string };
  readonly duplicates: number;
  readonly reoffers: number;
  readonly crashes: number;
  readonly failures?: number;
  readonly hops?: number;
  readonly result?: unknown;
  readonly attempts: readonly {
    readonly number: number;
    readonly pid: number;
    readonly outcome?: string;
    readonly startedAt: string;
    readonly leaseUntil: string;
    readonly settledAt?: string;
  }[];
}

export interface AuditJson {
  readonly from: string;
  readonly to: string;
  readonly expected: number;
  readonly recorded: number;
  readonly missing: readonly string[];
  readonly duplicates: number;
  readonly doubleRuns: number;
  readonly states: Readonly<Record<string, number>>;
  readonly jobs: Readonly<Record<string, Omit<AuditJson, 'jobs'>>>;
}

/** The newest runs of a job, by `fl`. */
export function runsOf(data: string, job: string): Promise<RunJson[]> {
  return flJson('runs', '--data', data, '--job', job, '--limit', '100');
}

export function show(data: string, id: string): Promise<RunJson> {
  return flJson('show', id, '--data', data);
}

/** Reading costs a process of its own each time, on a machine on which other scenarios play. */
const lookAgainMs = 2 * second;

/** Looks again and again: nothing tells those who read the ledger from outside that a record has changed. */
export async function eventually<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  withinMs: number,
): Promise<T> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > giveUpAt)
      throw new Error(`still so after ${withinMs / second} s: ${JSON.stringify(value, null, 2)}`);
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

/** Each fire has its record, none ran twice, and there were some. */
export function expectClean(audit: AuditJson): void {
  expect(audit).toMatchObject({ missing: [], doubleRuns: 0, recorded: audit.expected });
  expect(audit.expected).toBeGreaterThan(0);
}

/** A sweep comes each minute, and the longest grace is 3. */
const judgedWithinMs = 5 * minute;

/** When the fire can be judged: Ctrl-C, then the audit by `fl`, of the folder that nobody runs on. */
export async function endClean(
  system: System,
  data: string,
  { fireTime }: Pick<RunJson, 'fireTime'>,
): Promise<AuditJson> {
  const audit = () => flJson<AuditJson>('audit', '--data', data);
  await eventually(audit, ({ to }) => to >= fireTime, judgedWithinMs);
  system.kill('SIGINT');
  expect(await system.ended).toMatchObject({ code: 0, err: '' });
  const audited = await audit();
  expectClean(audited);
  return audited;
}
