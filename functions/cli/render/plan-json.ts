import { type JobChange, needsLook } from '../../domain/changes/index.ts';
import { runId } from '../../domain/names.ts';
import { localTime } from '../../domain/schedule/index.ts';
import { toIso } from '../../domain/time.ts';
import type { Deployed } from '../plan/deployed.ts';
import { jobSentences } from './plan-job.ts';
import { poolSentences } from './plan-pools.ts';
import { type Sentence, sentenceText, type Told } from './plan-sentence.ts';
import type { Planned } from './plan-text.ts';

/** Fires that are told one by one, of all jobs together; of each job at least a hundred. The others are counted. */
const mostFires = 500_000;
const fewestFires = 100;

/** The plan for scripts: instants in ISO, each fire with its local time. */
export function planJson(
  { changes, told, warnings }: Planned,
  { source, readAt }: Pick<Deployed, 'source' | 'readAt'>,
): Readonly<Record<string, unknown>> {
  const count = (kind: JobChange['kind']) => changes.jobs.filter((job) => job.kind === kind).length;
  const { jobs, pools, range } = changes;
  const most = Math.max(fewestFires, Math.floor(mostFires / Math.max(1, jobs.length)));
  return {
    look: needsLook(changes),
    comparedWith: source,
    readAt: readAt === null ? null : toIso(readAt),
    warnings,
    from: toIso(range.from),
    to: toIso(range.to),
    counts: {
      removed: count('removed'),
      changed: count('changed'),
      added: count('added'),
      same: changes.same,
      ...fireCounts(jobs),
    },
    jobStacks: changes.jobStacks ?? null,
    jobs: jobs.map((job) => ({ ...jobJson(job, most), says: saysOf(jobSentences(job, told)) })),
    pools: pools.map((pool) => poolJson(pool, told)),
  };
}

function poolJson(pool: Planned['changes']['pools'][number], told: Told): Readonly<Record<string, unknown>> {
  const { name, looks, from = null, to = null, held = null, waiting = null, takers, waits = null } = pool;
  return {
    name,
    looks,
    capacity: { from, to },
    held,
    waiting,
    takers,
    waits,
    says: saysOf(poolSentences(pool, told)),
  };
}

function saysOf(sentences: readonly Sentence[]) {
  return sentences.map(({ look = null, ...sentence }) => ({ look, text: sentenceText(sentence) }));
}

function fireCounts(jobs: readonly JobChange[]) {
  const sum = (of: 'moved' | 'vanished' | 'appeared') =>
    jobs.reduce((total, { fires }) => total + (fires?.[of].length ?? 0), 0);
  return { firesMoved: sum('moved'), firesVanished: sum('vanished'), firesAppeared: sum('appeared') };
}

function jobJson(job: JobChange, most: number): Readonly<Record<string, unknown>> {
  const { id, kind, before, after, looks, lookalike, stack, next, options, rights, paused } = job;
  return {
    id,
    change: kind,
    looks,
    file: { from: before?.file ?? null, to: after?.file ?? null },
    lookalike: lookalike ?? null,
    stack: stack ?? null,
    next: next === null ? null : toIso(next),
    fires: firesJson(job, most),
    options: Object.fromEntries(
      options.map((option) => [option, { from: before?.[option] ?? null, to: after?.[option] ?? null }]),
    ),
    rights,
    runs: runsJson(job),
    paused: paused === undefined ? null : { ...paused, at: toIso(paused.at) },
  };
}

function firesJson({ fires, before, after }: JobChange, most: number) {
  if (fires === null) return null;
  const old = (at: number) => fireJson(at, before?.spec.timezone);
  const fresh = (at: number) => fireJson(at, after?.spec.timezone);
  return {
    until: toIso(fires.until),
    counts: {
      kept: fires.kept,
      moved: fires.moved.length,
      vanished: fires.vanished.length,
      appeared: fires.appeared.length,
    },
    moved: fires.moved.slice(0, most).map(({ from, to }) => ({ from: old(from), to: fresh(to) })),
    vanished: fires.vanished.slice(0, most).map(({ at, excluded, passed }) => ({
      ...old(at),
      ...(excluded && { excluded }),
      ...(passed !== undefined && { passed: fresh(passed) }),
    })),
    appeared: fires.appeared.slice(0, most).map(({ at, again }) => ({
      ...fresh(at),
      ...(again !== undefined && { again: old(again) }),
    })),
  };
}

function fireJson(at: number, timezone = 'UTC') {
  return { fireTime: toIso(at), localTime: localTime(at, timezone) };
}

/** Null: the ledger was not at hand. */
function runsJson({ id, runs }: JobChange) {
  if (runs === null) return null;
  const told = (list: typeof runs.running) => list.map((run) => ({ id: runId(run), state: run.state }));
  return {
    running: told(runs.running),
    canceled: told(runs.canceled),
    dropped: runs.dropped.map(({ fireTime, reason }) => ({ id: `${id}#${toIso(fireTime)}`, reason })),
    replaced: told(runs.replaced === null ? [] : [runs.replaced]),
    staying: told(runs.staying),
  };
}
