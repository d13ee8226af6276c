import type { ManifestJob } from '../manifest.ts';
import { stackOf } from '../placement.ts';
import { timetable } from '../schedule/index.ts';
import type { Interval } from '../watermark.ts';
import type { JobFacts, LedgerFacts } from './facts.ts';
import { compareFires, type FireChanges } from './fires.ts';
import { firstDifference } from './first-difference.ts';
import type { JobChange } from './job-change.ts';
import { looksOf } from './looks.ts';
import { changedOptions } from './options.ts';
import { compareRights } from './rights.ts';
import { runsOfChanged, runsOfRemoved, type TouchedRuns } from './runs.ts';

/** A job as it is deployed, and as the working copy has it; one of them at least. */
export interface Pair {
  readonly id: string;
  readonly before: ManifestJob | undefined;
  readonly after: ManifestJob | undefined;
}

interface Surroundings {
  readonly stacks: { readonly from: number; readonly to: number };
  readonly range: Interval;
  /** So many fires are looked at on each side. */
  readonly most: number;
  readonly lookalike: string | undefined;
  readonly returns: boolean;
  readonly facts: LedgerFacts | null;
  readonly isFirst: boolean;
}

const unknownToLedger: JobFacts = { state: null, open: [], doubtful: [] };

export function compareJob(pair: Pair, given: Surroundings): JobChange {
  const { id, before, after } = pair;
  const facts = given.facts && (given.facts.jobs.get(id) ?? unknownToLedger);
  const change = {
    ...pairOf(pair),
    ...movedTo(pair, given),
    ...firesOf(pair, given),
    options: before && after ? changedOptions(before, after) : [],
    rights: compareRights(before ?? null, after ?? null),
    runs: facts && touched(pair, facts, given.range.from),
    ...stateOf(facts),
  };
  const judged = { ...change, kind: kindOf(change) };
  return { ...judged, looks: looksOf(judged, given) };
}

function pairOf({ id, before, after }: Pair): Pick<JobChange, 'id' | 'before' | 'after'> {
  return { id, ...(before && { before }), ...(after && { after }) };
}

function movedTo(
  { id, before, after }: Pair,
  { stacks, lookalike, returns }: Surroundings,
): Pick<JobChange, 'stack' | 'lookalike' | 'returns'> {
  const [from, to] = [stackOf(id, stacks.from), stackOf(id, stacks.to)];
  return {
    ...(before && after && from !== to && { stack: { from, to } }),
    ...(lookalike !== undefined && { lookalike }),
    ...(returns && !before && { returns }),
  };
}

function firesOf(
  { before, after }: Pair,
  { range, most }: Surroundings,
): Pick<JobChange, 'fires' | 'later' | 'next'> {
  const next = after ? timetable(after.spec).next(range.from) : null;
  if (before?.specId === after?.specId) return { fires: null, next };
  const fires = compareFires(before?.spec ?? null, after?.spec ?? null, { range, most });
  const isHidden = before && after && isEmpty(fires) && fires.until === range.to;
  const later = isHidden ? firstDifference(before.spec, after.spec, { from: range.to, most }) : null;
  return { fires, next, ...(later && { later }) };
}

function isEmpty({ moved, vanished, appeared }: FireChanges): boolean {
  return moved.length + vanished.length + appeared.length === 0;
}

const noRuns: TouchedRuns = { running: [], canceled: [], dropped: [], replaced: null, staying: [] };

function touched({ before, after }: Pair, facts: JobFacts, now: number): TouchedRuns {
  const seen = { ...facts, now };
  if (before === undefined) return noRuns;
  return after === undefined ? runsOfRemoved(before, seen) : runsOfChanged(before, after, seen);
}

function stateOf(facts: JobFacts | null): Pick<JobChange, 'state' | 'paused' | 'usual'> {
  const paused = facts?.state?.paused;
  return {
    state: facts?.state ?? null,
    ...(paused && { paused }),
    ...(facts?.usual && { usual: facts.usual }),
  };
}

function kindOf({
  before,
  after,
  stack,
  fires,
  options,
  rights,
}: Omit<JobChange, 'kind' | 'looks'>): JobChange['kind'] {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  const { granted, withdrawn, newSecrets, lostSecrets, vpc } = rights;
  const others = [...options, ...granted, ...withdrawn, ...newSecrets, ...lostSecrets];
  const isSame = fires === null && before.file === after.file && stack === undefined && vpc === undefined;
  return isSame && others.length === 0 ? 'kept' : 'changed';
}
