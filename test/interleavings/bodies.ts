import { isDeepStrictEqual } from 'node:util';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { type RunRef, runId } from '../../functions/domain/names.ts';
import type { Weights } from '../../functions/domain/pools.ts';
import type { Attempt, Run } from '../../functions/domain/run.ts';
import type { Process } from './process.ts';

/** One execution of a job's code, as the world knows it. */
interface Body {
  readonly process: Process;
  readonly jobId: string;
  /** Its run, as it started. */
  readonly run: string;
  readonly hasSlot: boolean;
  readonly holds: Weights;
  returned: boolean;
  over: boolean;
}

/** What truly runs, whatever the ledger takes for dead or alive. */
export class Bodies {
  readonly broken: string[];
  readonly #runs: ReadonlyMap<string, Run>;
  /** By the name of its process, which is its attempt's request id. */
  readonly #bodies = new Map<string, Body>();
  /** Jobs that may run beside themselves. */
  readonly #overlapping: ReadonlySet<string>;
  /** The greatest that each pool ever gets. */
  readonly #capacities: ReadonlyMap<string, number>;

  /** `runs`: as they are recorded, by run id; `broken`: gets what breaks a promise. */
  constructor(
    { runs, broken }: { runs: ReadonlyMap<string, Run>; broken: string[] },
    { jobs, capacities }: { jobs: readonly ManifestJob[]; capacities: ReadonlyMap<string, number> },
  ) {
    this.#runs = runs;
    this.broken = broken;
    this.#overlapping = new Set(jobs.filter(({ overlap }) => overlap === 'allow').map(({ id }) => id));
    this.#capacities = capacities;
  }

  /** How often the code of a run was started. */
  startsOf(run: string): number {
    return [...this.#bodies.values()].filter((body) => body.run === run).length;
  }

  start(process: Process, ref: RunRef): void {
    const run = runId(ref);
    const alive = [...this.#bodies.values()].filter(isAlive);
    for (const other of alive) {
      if (other.run === run) this.broken.push(`${run} is run by ${other.process.name} and ${process.name}`);
      else if (other.jobId === ref.jobId && !this.#overlapping.has(ref.jobId))
        this.broken.push(`${run} and ${other.run} have one slot, and run at once`);
    }
    const owner = this.#runs.get(run);
    if (!process.isOverdue && !isOwn(owner, process))
      this.broken.push(`${process.name} runs ${run}, which is not its own`);
    const { hasSlot = false, holds = {} } = owner ?? {};
    const body = { process, run, jobId: ref.jobId, hasSlot, holds, returned: false, over: false };
    this.#bodies.set(process.name, body);
    if (isAlive(body)) this.broken.push(...brokenCapacities([...alive, body], this.#capacities));
  }

  end(process: Process, returned: boolean): void {
    const body = this.#bodies.get(process.name);
    if (body) Object.assign(body, { over: true, returned });
  }

  /** A run's record has just been written. */
  saw(run: Run): void {
    const id = runId(run);
    for (const body of this.#bodies.values())
      if (body.run === id && isAlive(body) && !has(run, body))
        this.broken.push(`${body.process.name} runs ${id}, which was taken from it: it is ${run.state}`);
  }

  sawEnd({ requestId, outcome }: Attempt, run: string): void {
    if (outcome === 'succeeded' && !this.#bodies.get(requestId)?.returned)
      this.broken.push(`${run} succeeded, though the code of ${requestId} did not`);
  }
}

function isOwn(run: Run | undefined, { name }: Process): boolean {
  return run?.state === 'running' && run.attempts.at(-1)?.requestId === name;
}

/** Its run, the slot and the holds are its own as long as it lives. */
function has(run: Run, { process, hasSlot, holds }: Body): boolean {
  return isOwn(run, process) && run.hasSlot === hasSlot && isDeepStrictEqual(run.holds ?? {}, holds);
}

function isAlive({ process, over }: Body): boolean {
  return process.isAlive && !process.isOverdue && !over;
}

function brokenCapacities(alive: readonly Body[], capacities: ReadonlyMap<string, number>): string[] {
  return [...capacities].flatMap(([pool, capacity]) => {
    const used = alive.reduce((sum, { holds }) => sum + (holds[pool] ?? 0), 0);
    return used > capacity ? [`${used} of ${pool} are used at once, of which there are ${capacity}`] : [];
  });
}
