import { Refused } from '../../operator/ports.ts';

/** Backfills that this process hands over, one of a job at a time. They end with it; what was handed over goes on. */
export interface Feeds {
  /**
   * Until `work` has handed all of it over, or its signal aborts.
   *
   * @throws Refused while another one of the job is under way
   */
  begin<T>(jobId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** No fire more is handed over once this has resolved. */
  stop(jobId: string): Promise<void>;
  isUnderWay(jobId: string): boolean;
  /** What the job's last one failed with; null: it didn't. */
  problemOf(jobId: string): string | null;
  close(): Promise<void>;
}

interface Feed {
  readonly abort: AbortController;
  readonly ended: Promise<unknown>;
}

export function backfillFeeds(): Feeds {
  const going = new Map<string, Feed>();
  const problems = new Map<string, string>();
  const stop = async (jobId: string) => {
    const feed = going.get(jobId);
    feed?.abort.abort();
    await feed?.ended;
  };
  return {
    begin: (jobId, work) => {
      if (going.has(jobId))
        throw new Refused(`fires of ${jobId} are being handed over already; stop that, or let it end`);
      problems.delete(jobId);
      const abort = new AbortController();
      const done = work(abort.signal);
      const ended = done
        .then(
          () => undefined,
          (error: unknown) => void problems.set(jobId, error instanceof Error ? error.message : `${error}`),
        )
        .finally(() => going.delete(jobId));
      going.set(jobId, { abort, ended });
      return done;
    },
    stop,
    isUnderWay: (jobId) => going.has(jobId),
    problemOf: (jobId) => problems.get(jobId) ?? null,
    close: async () => {
      await Promise.all([...going.keys()].map(stop));
    },
  };
}
