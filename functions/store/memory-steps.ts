import { Unwritable } from '../domain/ledger.ts';
import { type RunRef, runId } from '../domain/names.ts';
import { roomForWrites, type StepAnswer, type StepRecord, type StepWrite } from '../domain/steps.ts';
import { copied } from './copied.ts';
import type { MemoryTables } from './memory-tables.ts';

export type StepWatch = (ref: RunRef, before: StepRecord | null, after: StepRecord) => void;

type Refusal = Pick<Extract<StepAnswer, { kind: 'refused' }>, 'step' | 'writes'>;

/** Steps in memory, with the tables that authors write to. */
export class MemorySteps {
  readonly #tables: MemoryTables;
  readonly #watch: StepWatch | undefined;
  /** By run id, then by name. */
  readonly #steps = new Map<string, Map<string, StepRecord>>();

  constructor(tables: MemoryTables, watch: StepWatch | undefined) {
    this.#tables = tables;
    this.#watch = watch;
  }

  of(ref: RunRef): StepRecord[] {
    return [...(this.#steps.get(runId(ref))?.values() ?? [])];
  }

  /** What a write comes to: which of its conditions fail (null: none does), and how to do it. */
  try(ref: RunRef, write: StepWrite): { readonly refusal: Refusal | null; readonly put: () => void } {
    const { failed, changes } = this.#tried(write);
    const standing = this.#steps.get(runId(ref))?.get(write.step.name) ?? null;
    const refusal = {
      ...(isReplaced(standing, write.replaces) ? {} : { step: standing }),
      ...(failed.length > 0 ? { writes: failed } : {}),
    };
    const put = () => {
      this.#tables.apply(changes);
      this.#put(ref, write.step);
    };
    return { refusal: Object.keys(refusal).length > 0 ? refusal : null, put };
  }

  #tried({ writes = [], last }: StepWrite): ReturnType<MemoryTables['try']> {
    const room = roomForWrites(last);
    if (writes.length > room) throw new Unwritable(`${writes.length} writes; at most ${room} fit in`);
    try {
      return this.#tables.try(copied(writes));
    } catch (error) {
      throw new Unwritable(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  #put(ref: RunRef, record: StepRecord): void {
    const step = copied(record);
    const ofRun = this.#steps.get(runId(ref)) ?? new Map<string, StepRecord>();
    const before = ofRun.get(step.name) ?? null;
    this.#steps.set(runId(ref), ofRun.set(step.name, step));
    this.#watch?.(ref, before, step);
  }
}

function isReplaced(standing: StepRecord | null, replaces: StepWrite['replaces']): boolean {
  if (standing === null || replaces === null) return standing === replaces;
  return standing.state === replaces.state && standing.token === replaces.token;
}
