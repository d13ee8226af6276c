import type { JobState } from '../../functions/domain/job-state.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { type RunRef, runId } from '../../functions/domain/names.ts';
import type { Attempt, Run } from '../../functions/domain/run.ts';
import type { Process } from './process.ts';
import { brokenBeside, brokenByChange, brokenClaim, brokenStart } from './record-rules.ts';

/** One execution of a job's code, as the world knows it. */
interface Execution {
  readonly process: Process;
  readonly run: string;
  readonly jobId: string;
  returned: boolean;
  over: boolean;
}

/** Sees every write and every start of code as it happens, and notes what breaks a promise. */
export class Watch {
  readonly broken: string[] = [];
  /** What happened at all: `running → parked`, `skipped: overlap`, and what invocations came to. */
  readonly met = new Set<string>();
  readonly runs = new Map<string, Run>();
  readonly #jobs = new Map<string, JobState>();
  /** By the name of its process, which is its attempt's request id. */
  readonly #executions = new Map<string, Execution>();
  readonly #reruns = new Map<string, number>();
  readonly #overlapping: ReadonlySet<string>;
  readonly #latest: ReadonlySet<string>;
  /** Milliseconds, by job. */
  readonly #graces: ReadonlyMap<string, number>;

  constructor(jobs: readonly ManifestJob[]) {
    const ids = (are: (job: ManifestJob) => boolean) => new Set(jobs.filter(are).map((job) => job.id));
    this.#overlapping = ids((job) => job.overlap === 'allow');
    this.#latest = ids((job) => job.missed.policy === 'latest');
    this.#graces = new Map(jobs.map((job) => [job.id, job.graceMs]));
  }

  runsOf(jobId: string): Run[] {
    return [...this.runs.values()].filter((run) => run.jobId === jobId);
  }

  /** How often the code of a run was started. */
  startsOf(id: string): number {
    return [...this.#executions.values()].filter(({ run }) => run === id).length;
  }

  /** How often a person had it run again. */
  rerunsOf(id: string): number {
    return this.#reruns.get(id) ?? 0;
  }

  /** A write has just been carried out. `isPause`: by a person who pauses or resumes the job. */
  saw(run: Run | null, job: JobState | null, isPause = false): void {
    const before = job === null ? undefined : this.#jobs.get(job.jobId);
    if (run !== null) this.#sawRun(run, before);
    if (job === null) return;
    this.#jobs.set(job.jobId, job);
    this.broken.push(...brokenBeside(job, this.runsOf(job.jobId), isPause ? undefined : before));
    if (this.#latest.has(job.jobId) && job.catchUp.waiting > 1)
      this.broken.push(`${job.catchUp.waiting} runs of ${job.jobId} wait, of which one stands for all`);
  }

  #sawRun(run: Run, job: JobState | undefined): void {
    const before = this.runs.get(runId(run)) ?? null;
    this.runs.set(runId(run), run);
    this.broken.push(...brokenByChange(before, run), ...brokenStart(before, run, job));
    this.broken.push(...brokenClaim(before, run, this.#graces.get(run.jobId) ?? 0));
    this.#meet(before, run);
    if (before?.state === 'parked' && run.state === 'waiting')
      this.#reruns.set(runId(run), this.rerunsOf(runId(run)) + 1);
    run.attempts.forEach((attempt, index) => {
      if (attempt.outcome !== undefined && before?.attempts[index]?.outcome === undefined)
        this.#sawEnd(attempt, runId(run));
    });
  }

  #meet(before: Run | null, { state, reason, token, timedOutAt }: Run): void {
    if (before?.token !== token || before.state !== state || before.timedOutAt !== timedOutAt)
      this.met.add(`${before?.state ?? 'absent'} → ${state}`);
    if (reason !== undefined) this.met.add(`${state}: ${reason}`);
  }

  #sawEnd({ requestId, outcome }: Attempt, id: string): void {
    const execution = this.#executions.get(requestId);
    if (outcome === 'succeeded' && !execution?.returned)
      this.broken.push(`${id} succeeded, though the code of ${requestId} did not`);
    if (outcome === 'crashed' && execution && isAlive(execution))
      this.broken.push(`${id} was taken for crashed while ${requestId} ran it`);
  }

  codeStarts(process: Process, ref: RunRef): void {
    const run = runId(ref);
    for (const other of this.#executions.values()) {
      if (!isAlive(other)) continue;
      if (other.run === run) this.broken.push(`${run} is run by ${other.process.name} and ${process.name}`);
      else if (other.jobId === ref.jobId && !this.#overlapping.has(ref.jobId))
        this.broken.push(`${run} and ${other.run} have one slot, and run at once`);
    }
    const owner = this.runs.get(run);
    if (!process.isOverdue && !isOwn(owner, process))
      this.broken.push(`${process.name} runs ${run}, which is not its own`);
    this.#executions.set(process.name, { process, run, jobId: ref.jobId, returned: false, over: false });
  }

  codeEnds(process: Process, returned: boolean): void {
    const execution = this.#executions.get(process.name);
    if (execution) Object.assign(execution, { over: true, returned });
  }
}

function isOwn(run: Run | undefined, { name }: Process): boolean {
  return run?.state === 'running' && run.attempts.at(-1)?.requestId === name;
}

function isAlive({ process, over }: Execution): boolean {
  return process.isAlive && !process.isOverdue && !over;
}

/** The ledger, every write of which is shown to a watch as it is carried out. */
export function watchedLedger(ledger: Ledger, watch: Watch): Ledger {
  const see = async (jobId: string, ref: RunRef | null, isPause?: boolean) =>
    watch.saw(ref && (await ledger.run(ref)), await ledger.job(jobId), isPause);
  const shown: Partial<Ledger> = {
    create: async (run, effect) => seen(await ledger.create(run, effect), see(run.jobId, run)),
    move: async (ref, ...how) => seen(await ledger.move(ref, ...how), see(ref.jobId, ref)),
    countDuplicate: async (ref) => seen(await ledger.countDuplicate(ref), see(ref.jobId, ref)),
    countStray: async (jobId, fire) => seen(await ledger.countStray(jobId, fire), see(jobId, null)),
    suspect: async (ref, suspicion) => seen(await ledger.suspect(ref, suspicion), see(ref.jobId, ref)),
    publish: async (version, replaces) =>
      seen(await ledger.publish(version, replaces), see(version.jobId, null)),
    setPause: async (jobId, pause, require) =>
      seen(await ledger.setPause(jobId, pause, require), see(jobId, null, true)),
  };
  return new Proxy(ledger, {
    get: (target, verb: keyof Ledger) => shown[verb] ?? target[verb].bind(target),
  });
}

async function seen<T>(answer: T, seeing: Promise<void>): Promise<T> {
  await seeing;
  return answer;
}
