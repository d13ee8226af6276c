import {
  type ClosedDay,
  type ClosedRun,
  type DayRef,
  dayOf,
  lastOf,
} from '../../domain/closed-days/index.ts';
import { fireKey } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { day, hour, toIso } from '../../domain/time.ts';
import type { Invariant, Violate } from '../observe.ts';
import { allJobIds } from './models/deployed.ts';
import { isTerminal, stateText } from './models/records.ts';
import { Schedules } from './models/schedules.ts';

/** Once its end is so long ago, and nothing of it was written for so long, a day is closed. */
const closedWithinMs = 3 * hour;

/** A job's day, as its writes tell. */
interface DayModel {
  readonly ref: DayRef;
  /** By their keys. */
  readonly runs: Map<string, Run>;
  closed: ClosedDay | null;
  writtenAt: number;
}

export const closedDays: Invariant = {
  name: 'closed-days',
  rule: 'a closed day says of each of its fires what the record says, and each day is closed once it has settled',
  watch(violate, world) {
    const schedules = new Schedules(world);
    const days = new Map<string, DayModel>();
    const modelOf = (ref: DayRef): DayModel => {
      const id = `${ref.jobId} ${ref.day}`;
      const model = days.get(id) ?? { ref, runs: new Map(), closed: null, writtenAt: world.from };
      days.set(id, model);
      return model;
    };
    return {
      wroteJob(_at, before, after) {
        schedules.wroteJob(before, after);
      },
      wroteRun(at, before, after) {
        const run = after ?? before;
        if (run === null) return;
        const model = modelOf({ jobId: run.jobId, day: dayOf(run.fireTime) });
        model.writtenAt = at;
        // What a day says of a record outlives it.
        if (after === null) return;
        model.runs.set(run.key, after);
        const said = model.closed?.runs.find(({ key }) => key === run.key);
        if (model.closed !== null && !isSaid(after, said))
          violate(`became ${stateText(after)}, of which its closed day says nothing`, after);
      },
      wroteDay(_at, ref, { closed, reopened }) {
        const model = modelOf(ref);
        model.closed = reopened === undefined ? closed : null;
        if (model.closed !== null) check(model, model.closed, { schedules, violate });
      },
      atRest(at) {
        for (const jobId of allJobIds(world))
          for (const first of daysBefore(at - closedWithinMs, jobId, schedules))
            checkIsClosed(modelOf({ jobId, day: first }), at, violate);
      },
    };
  },
};

function check(
  { ref: { jobId, day: first }, runs }: DayModel,
  closed: ClosedDay,
  { schedules, violate }: { schedules: Schedules; violate: Violate },
): void {
  const said = new Map(closed.runs.map((run) => [run.key, run]));
  for (const run of runs.values()) {
    if (!isTerminal(run)) violate(`is ${stateText(run)}, and its day was closed`, run);
    else if (!isSaid(run, said.get(run.key))) violate('is not what its closed day says of it', run);
  }
  if (said.size !== runs.size) violate(`${toIso(first)} of ${jobId} was closed with runs that never were`);
  for (const fireTime of dueWithin(schedules, jobId, first))
    if (!said.has(fireKey(fireTime)))
      violate('was due, and its day was closed without it', { jobId, key: fireKey(fireTime) });
}

/** All but its refused deliveries, which may still come. */
function isSaid({ state, reason, attempts }: Run, said: ClosedRun | undefined): boolean {
  if (said === undefined || said.state !== state || said.reason !== reason) return false;
  return said.attempts === attempts.length && said.startedAt === attempts[0]?.startedAt;
}

function* dueWithin(schedules: Schedules, jobId: string, first: number): Iterable<number> {
  const versions = schedules.versions(jobId);
  for (const [index, { of, from }] of versions.entries()) {
    const after = Math.max(from, first - 1);
    const until = Math.min(versions[index + 1]?.from ?? Number.POSITIVE_INFINITY, lastOf(first));
    if (of !== null && after < until) yield* of.timetable.between(after, until);
  }
}

/** The days of a job that ended before an instant, while it was in force. */
function* daysBefore(until: number, jobId: string, schedules: Schedules): Iterable<number> {
  const versions = schedules.versions(jobId);
  const [oldest, newest] = [versions[0], versions.at(-1)];
  if (oldest === undefined || newest === undefined) return;
  const end = newest.of === null ? Math.min(until, dayOf(newest.from) + day) : until;
  for (let first = dayOf(oldest.from); first + day <= end; first += day) yield first;
}

function checkIsClosed({ ref, runs, closed, writtenAt }: DayModel, at: number, violate: Violate): void {
  const isOpen = [...runs.values()].some((run) => !isTerminal(run));
  if (closed !== null || isOpen || at - writtenAt < closedWithinMs) return;
  violate(`${toIso(ref.day)} of ${ref.jobId} has settled and was not closed`);
}
