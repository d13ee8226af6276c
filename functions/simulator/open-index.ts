import type { OpenRef } from '../domain/ledger.ts';
import { type RunRef, runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';

interface Entry {
  readonly ref: RunRef;
  readonly attentionAt: number;
}

interface Change {
  readonly at: number;
  readonly id: string;
  readonly before: Entry | undefined;
}

/** The index of open runs as it was a moment ago: the store's is not kept up within a write. */
export class OpenIndex {
  readonly #now = new Map<string, Entry>();
  readonly #changes: Change[] = [];

  /** `at`: of the write, true time. Changes older than `keepMs` are forgotten. */
  wrote(at: number, run: Run, keepMs: number): void {
    const id = runId(run);
    this.#changes.push({ at, id, before: this.#now.get(id) });
    const { jobId, key, attentionAt } = run;
    if (attentionAt === undefined) this.#now.delete(id);
    else this.#now.set(id, { ref: { jobId, key }, attentionAt });
    while ((this.#changes[0]?.at ?? at) < at - keepMs) this.#changes.shift();
  }

  /** What `open` would have said at an instant. */
  openAt(instant: number, { until, limit, from }: { until: number; limit: number; from: number }): OpenRef[] {
    const then = new Map(this.#now);
    for (const { at, id, before } of this.#changes.toReversed()) {
      if (at <= instant) break;
      if (before === undefined) then.delete(id);
      else then.set(id, before);
    }
    return [...then.values()]
      .filter(({ attentionAt }) => from <= attentionAt && attentionAt <= until)
      .sort((a, b) => a.attentionAt - b.attentionAt)
      .slice(0, limit)
      .map(({ ref, attentionAt }) => ({ ...ref, attentionAt }));
  }
}
