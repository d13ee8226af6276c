/**
 * Tells when a job's records are whole: a transaction writes its run first and its job's state right after it, at the same
 * instant. Call it before what was written is taken over.
 */
export class Transactions {
  readonly #check: (jobId: string) => void;
  #pending: { readonly jobId: string; readonly at: number } | null = null;

  constructor(check: (jobId: string) => void) {
    this.#check = check;
  }

  /** `take`: takes over what was written. */
  wroteRun(at: number, jobId: string, take: () => void): void {
    this.settle();
    take();
    this.#pending = { jobId, at };
  }

  wroteJob(at: number, jobId: string, take: () => void): void {
    if (this.#pending?.jobId !== jobId || this.#pending.at !== at) this.settle();
    this.#pending = null;
    take();
    this.#check(jobId);
  }

  /** Nothing more belongs to the last write. */
  settle(): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) this.#check(pending.jobId);
  }
}
