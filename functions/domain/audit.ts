import { earliestMs } from './delivery.ts';
import type { JobState, SpecVersion } from './job-state.ts';
import type { ManifestJob } from './manifest.ts';
import { fireKey, runId } from './names.ts';
import { type Attempt, openStates, type Run, type RunState, terminalStates } from './run.ts';
import { timetable } from './schedule/index.ts';
import { day, minute, second, toIso } from './time.ts';

/** Fires that are due from `from` to `to`, both inclusive, against their records. Instants are ISO texts: this is what scripts read. */
export interface JobAudit {
  readonly from: string;
  readonly to: string;
  /** Due instants of the schedule versions in force. */
  readonly expected: number;
  /** Those of them that have a record. Missing are `expected - recorded`. */
  readonly recorded: number;
  /** Run ids of fires without a record, oldest first; at most 1,000 are named. */
  readonly missing: readonly string[];
  /** Run ids of records that neither a schedule nor a person asked for; at most 1,000 are named. */
  readonly extra: readonly string[];
  /** Runs that a person started, or had made up for a time at which no schedule was in force. */
  readonly manual: number;
  /** Deliveries that were no fire, since the job is known: they have no instant. */
  readonly strays: number;
  /** Refused deliveries of fires that had their run. */
  readonly duplicates: number;
  /** Fires with two attempts alive at once, or with two successes. */
  readonly doubleRuns: number;
  /** Due fires of which nobody can tell any more: their records may have expired, and their days were not closed. */
  readonly unjudged: number;
  /** All records in the range, manual and extra ones too, by state. */
  readonly states: Readonly<Record<RunState, number>>;
}

export interface Audit extends JobAudit {
  readonly jobs: Readonly<Record<string, JobAudit>>;
}

/** Both inclusive, epoch milliseconds. */
export interface AuditRange {
  readonly from: number;
  readonly to: number;
}

const mostNamed = 1_000;

/** What an audit asks of a run. */
export interface AuditedRun extends Pick<Run, 'key' | 'fireTime' | 'state' | 'duplicates'> {
  /** A person wants it run. */
  readonly isRequested: boolean;
  readonly wasDouble: boolean;
}

export function auditedOf(run: Run): AuditedRun {
  const { key, fireTime, state, duplicates, requested } = run;
  const isRequested = requested !== undefined;
  return { ...{ key, fireTime, state, duplicates }, isRequested, wasDouble: wasDoubleRun(run) };
}

/**
 * Audits one job. Its runs are shown one by one, oldest first, and none is kept: so memory stays bounded however long
 * the range is.
 */
export class JobAuditor {
  readonly #jobId: string;
  readonly #range: AuditRange;
  readonly #due: Iterator<number>;
  #nextDue: number;
  #expected = 0;
  #recorded = 0;
  #manual = 0;
  #duplicates = 0;
  #doubleRuns = 0;
  readonly #missing: string[] = [];
  readonly #extra: string[] = [];
  readonly #states = noStates();

  constructor(jobId: string, versions: readonly SpecVersion[], range: AuditRange) {
    this.#jobId = jobId;
    this.#range = range;
    this.#due = expectedFires(versions, range)[Symbol.iterator]();
    this.#nextDue = this.#advance();
  }

  see(run: AuditedRun): void {
    if (run.fireTime < this.#range.from || run.fireTime > this.#range.to) return;
    this.#states[run.state] += 1;
    this.#duplicates += run.duplicates;
    if (run.wasDouble) this.#doubleRuns += 1;
    if (run.key !== fireKey(run.fireTime)) this.#manual += 1;
    else this.#match(run);
  }

  /** `state`: for its strays; null when the job is unknown. */
  end(state: Pick<JobState, 'strays'> | null): JobAudit {
    this.#missUntil(Number.POSITIVE_INFINITY);
    return {
      from: toIso(this.#range.from),
      to: toIso(this.#range.to),
      expected: this.#expected,
      recorded: this.#recorded,
      missing: this.#missing,
      extra: this.#extra,
      manual: this.#manual,
      strays: state?.strays ?? 0,
      duplicates: this.#duplicates,
      doubleRuns: this.#doubleRuns,
      unjudged: 0,
      states: this.#states,
    };
  }

  #match({ key, fireTime, isRequested }: AuditedRun): void {
    this.#missUntil(fireTime);
    if (this.#nextDue !== fireTime) {
      if (isRequested) this.#manual += 1;
      else name(this.#extra, runId({ jobId: this.#jobId, key }));
      return;
    }
    this.#recorded += 1;
    this.#nextDue = this.#advance();
  }

  #missUntil(instant: number): void {
    while (this.#nextDue < instant) {
      name(this.#missing, runId({ jobId: this.#jobId, key: fireKey(this.#nextDue) }));
      this.#nextDue = this.#advance();
    }
  }

  #advance(): number {
    const { value, done } = this.#due.next();
    if (done) return Number.POSITIVE_INFINITY;
    this.#expected += 1;
    return value;
  }
}

/** All jobs together, and each by its id. */
export function combine(jobs: Readonly<Record<string, JobAudit>>, range: AuditRange): Audit {
  return { ...summed(Object.values(jobs), range), jobs };
}

/** Several audits as one of the range that they cover together; in the order of their times, if they are of one job. */
export function summed(audits: readonly JobAudit[], { from, to }: AuditRange): JobAudit {
  const sum = (of: (audit: JobAudit) => number) => audits.reduce((total, audit) => total + of(audit), 0);
  const states = noStates();
  for (const state of allStates) states[state] = sum((audit) => audit.states[state]);
  return {
    from: toIso(from),
    to: toIso(to),
    expected: sum((audit) => audit.expected),
    recorded: sum((audit) => audit.recorded),
    missing: audits.flatMap((audit) => audit.missing).slice(0, mostNamed),
    extra: audits.flatMap((audit) => audit.extra).slice(0, mostNamed),
    manual: sum((audit) => audit.manual),
    strays: sum((audit) => audit.strays),
    duplicates: sum((audit) => audit.duplicates),
    doubleRuns: sum((audit) => audit.doubleRuns),
    unjudged: sum((audit) => audit.unjudged),
    states,
  };
}

/** Whether the promises are kept: nothing is missing, nothing ran twice. */
export function isClean(audit: Pick<JobAudit, 'expected' | 'recorded' | 'doubleRuns'>): boolean {
  return audit.expected === audit.recorded && audit.doubleRuns === 0;
}

/** The reconciler sweeps every minute, and a sweep takes some seconds. */
const sweepMs = minute + 15 * second;

/**
 * The newest instant up to which every fire must have its record. By time alone: a reconciler that stands still must
 * show as missing fires, so what it has accounted for counts for nothing here.
 */
export function auditableUntil(now: number, jobs: readonly Pick<ManifestJob, 'graceMs'>[]): number {
  return now - Math.max(0, ...jobs.map((job) => job.graceMs)) - sweepMs;
}

/** The oldest instant that an audit can look at: older records may be deleted, so that their lack proves nothing. */
export function auditableFrom(now: number, retentionDays: number): number {
  return now - retentionDays * day;
}

/** The due instants of each version of a schedule while it was in force: on (its from, the next one's from]. */
export function* expectedFires(versions: readonly SpecVersion[], { from, to }: AuditRange): Iterable<number> {
  for (const [index, { spec, from: since }] of versions.entries()) {
    const until = versions[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    const [after, last] = [Math.max(since, from - 1), Math.min(until, to)];
    if (spec !== null && after < last) yield* timetable(spec).between(after, last);
  }
}

/** Two attempts of one run alive at once, or two that succeeded. */
export function wasDoubleRun({ attempts }: Pick<Run, 'attempts'>): boolean {
  if (attempts.filter((attempt) => attempt.outcome === 'succeeded').length > 1) return true;
  const byStart = [...attempts].sort((a, b) => a.startedAt - b.startedAt);
  let aliveUntil = Number.NEGATIVE_INFINITY;
  for (const attempt of byStart) {
    if (attempt.startedAt < aliveUntil) return true;
    aliveUntil = Math.max(aliveUntil, lastAlive(attempt));
  }
  return false;
}

/**
 * Until when an attempt was alive, or may have been. One that crashed was settled by the reconciler, and only its lease
 * tells; the next one's clock may be behind the reconciler's.
 */
function lastAlive({ settledAt, outcome, leaseUntil }: Attempt): number {
  return outcome === 'crashed' ? leaseUntil - earliestMs : (settledAt ?? leaseUntil);
}

const allStates: readonly RunState[] = [...openStates, ...terminalStates];

function noStates(): Record<RunState, number> {
  return Object.fromEntries(allStates.map((state) => [state, 0])) as Record<RunState, number>;
}

function name(list: string[], id: string): void {
  if (list.length < mostNamed) list.push(id);
}
