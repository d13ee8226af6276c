import type { Run } from '../../domain/run.ts';
import { counts, isOfLaterStart, type StepRecord } from '../../domain/steps.ts';
import { attemptNumber } from '../fire.ts';

/** `standing`: the record that is there. `known`: the same, if it still counts. */
export interface Known {
  readonly standing: StepRecord | null;
  readonly known: StepRecord | null;
}

/** What earlier attempts have recorded. The first attempt of a run asks nobody; a later one once, at its first step. */
export class Memo {
  readonly #run: Run;
  readonly #read: () => Promise<StepRecord[]>;
  readonly #fenced: () => Error;
  #records: Promise<ReadonlyMap<string, StepRecord>> | undefined;

  /** `fenced`: what to throw when the records tell that another attempt owns the run by now. */
  constructor(run: Run, { read, fenced }: { read: () => Promise<StepRecord[]>; fenced: () => Error }) {
    this.#run = run;
    this.#read = read;
    this.#fenced = fenced;
  }

  async of(name: string): Promise<Known> {
    return this.#known((await this.#all()).get(name) ?? null);
  }

  /** The batches of a map, by their number. */
  async batches(name: string): Promise<Map<number, Known>> {
    const prefix = `${name}#`;
    const all = [...(await this.#all())].filter(([key]) => key.startsWith(prefix));
    return new Map(all.map(([key, record]) => [Number(key.slice(prefix.length)), this.#known(record)]));
  }

  #known(standing: StepRecord | null): Known {
    return { standing, known: standing !== null && counts(standing, this.#run) ? standing : null };
  }

  #all(): Promise<ReadonlyMap<string, StepRecord>> {
    this.#records ??= this.#load();
    return this.#records;
  }

  async #load(): Promise<ReadonlyMap<string, StepRecord>> {
    if (attemptNumber(this.#run) === 1) return new Map();
    const records = await this.#read();
    if (records.some((record) => isOfLaterStart(record, this.#run))) throw this.#fenced();
    return new Map(records.map((record) => [record.name, record]));
  }
}
