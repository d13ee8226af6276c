import { type RunRef, runId } from '../domain/names.ts';
import type { Notice } from '../domain/notices/notice.ts';

/** What people are to be told of, until a turn has told it. */
export class NoticeBoard {
  #notices: Notice[] = [];
  readonly #ended = new Map<string, RunRef>();

  add(notice: Notice): void {
    this.#notices.push(notice);
  }

  /** A run that failed or was parked: what is told of it, its record says. */
  addEnded({ jobId, key }: RunRef): void {
    this.#ended.set(runId({ jobId, key }), { jobId, key });
  }

  /** What nobody was told of yet. */
  get ended(): readonly RunRef[] {
    return [...this.#ended.values()];
  }

  /** Takes everything off. */
  take(): { readonly notices: readonly Notice[]; readonly ended: readonly RunRef[] } {
    const taken = { notices: this.#notices, ended: this.ended };
    this.#notices = [];
    this.#ended.clear();
    return taken;
  }
}
