import type { JobState } from '../../../domain/job-state.ts';
import { exclusions, type Spec, type Timetable, timetable } from '../../../domain/schedule/index.ts';
import type { WorldView } from '../../observe.ts';

/** What a spec says of its fires. */
interface Compiled {
  readonly timetable: Timetable;
  readonly isExcluded: (fire: number) => boolean;
}

/** A version of a job's schedule that took force; null: the job was removed. */
export interface Version {
  readonly from: number;
  readonly specId: string | null;
  readonly of: Compiled | null;
}

/** A job's fires in force order: the next one not asked for yet, and the version that it is of. */
interface Cursor {
  index: number;
  next: number;
}

/** `E` as it came into force: read off the jobs' state items, with the specs of the deployed manifests. */
export class Schedules {
  readonly #world: WorldView;
  readonly #versions = new Map<string, Version[]>();
  readonly #compiled = new Map<string, Compiled>();
  readonly #cursors = new Map<string, Cursor>();

  constructor(world: WorldView) {
    this.#world = world;
  }

  /** Whether another version took force. */
  wroteJob(before: JobState | null, after: JobState): boolean {
    const { jobId, specId = null, specSince: from } = after;
    if (before?.specSince === from && (before.specId ?? null) === specId) return false;
    const versions = this.versions(jobId).filter((version) => version.from !== from);
    const next = { from, specId, of: specId === null ? null : this.#compile(jobId, specId) };
    this.#versions.set(jobId, [...versions, next]);
    return true;
  }

  get jobIds(): readonly string[] {
    return [...this.#versions.keys()];
  }

  /** Oldest first. */
  versions(jobId: string): readonly Version[] {
    return this.#versions.get(jobId) ?? [];
  }

  /** The version in force at an instant, and the one that took its place, as far as is known now. */
  reignAt(jobId: string, instant: number): { version: Version; successor?: Version } | null {
    const versions = this.versions(jobId);
    const index = versions.findLastIndex(({ from }) => from < instant);
    const [version, successor] = [versions[index], versions[index + 1]];
    return version ? { version, ...(successor && { successor }) } : null;
  }

  /** The fires up to an instant that no call before has given, oldest first. */
  *dueUpTo(jobId: string, instant: number): Iterable<number> {
    const cursor = this.#cursor(jobId);
    while (cursor !== null) {
      const successor = this.versions(jobId)[cursor.index + 1];
      if (successor && cursor.next > successor.from)
        this.#move(jobId, cursor, cursor.index + 1, successor.from);
      else if (cursor.next > instant) return;
      else {
        yield cursor.next;
        this.#move(jobId, cursor, cursor.index, cursor.next);
      }
    }
  }

  #cursor(jobId: string): Cursor | null {
    const first = this.versions(jobId)[0];
    if (first === undefined) return null;
    const fresh = () => this.#move(jobId, { index: 0, next: 0 }, 0, first.from);
    const cursor = this.#cursors.get(jobId) ?? fresh();
    this.#cursors.set(jobId, cursor);
    return cursor;
  }

  #move(jobId: string, cursor: Cursor, index: number, after: number): Cursor {
    cursor.index = index;
    cursor.next = this.versions(jobId)[index]?.of?.timetable.next(after) ?? Number.POSITIVE_INFINITY;
    return cursor;
  }

  #compile(jobId: string, specId: string): Compiled {
    const known = this.#compiled.get(specId);
    if (known !== undefined) return known;
    const spec = this.#spec(jobId, specId);
    const compiled = { timetable: timetable(spec), isExcluded: exclusions(spec) };
    this.#compiled.set(specId, compiled);
    return compiled;
  }

  #spec(jobId: string, specId: string): Spec {
    const jobs = this.#world.deploys.flatMap(({ manifest }) => manifest.jobs);
    const job = jobs.find((one) => one.id === jobId && one.specId === specId);
    if (job === undefined)
      throw new Error(`No deploy has the version ${specId} of ${jobId} that is in force.`);
    return job.spec;
  }
}
