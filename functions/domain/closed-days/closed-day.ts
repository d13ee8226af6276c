import { type AuditedRun, type AuditRange, auditedOf, type JobAudit, JobAuditor } from '../audit.ts';
import { staysOf } from '../contention/holding.ts';
import type { Span } from '../contention/span.ts';
import { aliveWhile } from '../contention/usage.ts';
import type { SpecVersion } from '../job-state.ts';
import { runId } from '../names.ts';
import type { Weights } from '../pools.ts';
import { isOpen, type Run } from '../run.ts';
import { toIso } from '../time.ts';
import { lastOf } from './utc-day.ts';

/** What of an audit a day keeps. Missing is nothing: else it is not closed. Extra ones are named by their keys. */
export type DayCounts = Pick<
  JobAudit,
  'expected' | 'recorded' | 'manual' | 'extra' | 'duplicates' | 'doubleRuns' | 'states'
>;

/** What a closed day keeps of a run, in epoch milliseconds. Absent times: it never started. */
export interface ClosedRun extends AuditedRun, Pick<Run, 'trigger' | 'reason'> {
  readonly attempts: number;
  readonly startedAt?: number;
  /** Since when its last attempt was alive; absent: it had one at most. */
  readonly lastStartedAt?: number;
  /** Until when its last attempt was alive. */
  readonly endedAt?: number;
  /** What it took of pools, and when; absent: nothing. */
  readonly held?: { readonly weights: Weights; readonly stays: readonly Span[] };
}

/**
 * A job's day, once nothing of it is open: each fire that was due, as it was worked out then, has its record, and each record
 * is terminal. It outlives the records.
 */
export interface ClosedDay {
  readonly jobId: string;
  /** Its first instant. A day is one of UTC: no edit of a zone splits or doubles it. */
  readonly day: number;
  readonly counts: DayCounts;
  /** By their keys: oldest first. */
  readonly runs: readonly ClosedRun[];
}

/** `unfinished`: a run of it is open. `incomplete`: a fire was due and has no record. */
export type DayVerdict =
  | { readonly kind: 'closed'; readonly closed: ClosedDay }
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'incomplete' };

/**
 * Judges a job's day by its records. `before`: what it was when it was closed last, if it was opened again; what it says of
 * runs whose records have expired since stays.
 */
export function judgeDay(
  { jobId, day }: Pick<ClosedDay, 'jobId' | 'day'>,
  {
    versions,
    runs,
    before = null,
  }: {
    readonly versions: readonly SpecVersion[];
    readonly runs: readonly Run[];
    readonly before?: ClosedDay | null;
  },
): DayVerdict {
  if (runs.some(({ state }) => isOpen(state))) return { kind: 'unfinished' };
  const kept = withExpired(runs.map(closedRunOf), before);
  const auditor = new JobAuditor(jobId, versions, { from: day, to: lastOf(day) });
  for (const run of kept) auditor.see(run);
  const {
    from: _from,
    to: _to,
    missing,
    strays: _strays,
    unjudged: _none,
    extra,
    ...counts
  } = auditor.end(null);
  if (missing.length > 0) return { kind: 'incomplete' };
  const keys = extra.map((id) => id.slice(jobId.length + 1));
  return { kind: 'closed', closed: { jobId, day, counts: { ...counts, extra: keys }, runs: kept } };
}

/** What a closed day proves of a range within it; of all of it, by its own counts: the zone's rules may have changed since. */
export function auditOfDay(
  { jobId, day, counts, runs }: ClosedDay,
  versions: readonly SpecVersion[],
  range: AuditRange,
): JobAudit {
  if (range.from <= day && lastOf(day) <= range.to) return auditOfWhole({ jobId, day, counts });
  const auditor = new JobAuditor(jobId, versions, range);
  for (const run of runs) auditor.see(run);
  return auditor.end(null);
}

function auditOfWhole({ jobId, day, counts }: Omit<ClosedDay, 'runs'>): JobAudit {
  const extra = counts.extra.map((key) => runId({ jobId, key }));
  const range = { from: toIso(day), to: toIso(lastOf(day)) };
  return { ...counts, ...range, extra, missing: [], strays: 0, unjudged: 0 };
}

function withExpired(runs: readonly ClosedRun[], before: ClosedDay | null): ClosedRun[] {
  const all = new Map([...(before?.runs ?? []), ...runs].map((run) => [run.key, run]));
  return [...all.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** What a closed day keeps of a run that is not open. */
export function closedRunOf(run: Run): ClosedRun {
  const { trigger, reason, attempts } = run;
  return {
    ...{ ...auditedOf(run), trigger, attempts: attempts.length },
    ...(reason !== undefined && { reason }),
    ...timesOf(run),
    ...heldBy(run),
  };
}

function timesOf({ attempts }: Run): Pick<ClosedRun, 'startedAt' | 'lastStartedAt' | 'endedAt'> {
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (first === undefined || last === undefined) return {};
  const { from, until } = aliveWhile(last, last.leaseUntil);
  return { startedAt: first.startedAt, ...(first !== last && { lastStartedAt: from }), endedAt: until };
}

function heldBy(run: Run): Pick<ClosedRun, 'held'> {
  const { holds: weights = {} } = run;
  if (Object.keys(weights).length === 0 || run.attempts.length === 0) return {};
  const stays = staysOf(run, Number.POSITIVE_INFINITY).map(({ from, until }) => ({ from, until }));
  return { held: { weights, stays } };
}
