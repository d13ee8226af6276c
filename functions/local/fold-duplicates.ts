import { second } from '../domain/time.ts';
import type { CloudEvent, Tell } from './events.ts';

export interface Folded {
  readonly tell: Tell;
  /** Tells at once what is still being counted. */
  flush(): void;
}

interface Counted {
  readonly jobId: string;
  readonly run: string;
  count: number;
  readonly timer: NodeJS.Timeout;
}

/** Several schedulers deliver a fire within this time of one another. */
const togetherMs = 1.5 * second;

/** Passes events on, the refused deliveries of one fire as one event. */
export function foldDuplicates(tell: Tell): Folded {
  const counting = new Map<string, Counted>();
  const end = ({ run, jobId, count, timer }: Counted) => {
    clearTimeout(timer);
    counting.delete(run);
    tell({ kind: 'duplicates', at: Date.now(), jobId, run, count });
  };
  return {
    tell: (event) => {
      const duplicate = duplicateOf(event);
      if (duplicate === null) return tell(event);
      const counted = counting.get(duplicate.run);
      if (counted) counted.count += 1;
      else {
        const fresh: Counted = { ...duplicate, count: 1, timer: setTimeout(() => end(fresh), togetherMs) };
        counting.set(duplicate.run, fresh);
      }
    },
    flush: () => {
      for (const counted of counting.values()) end(counted);
    },
  };
}

function duplicateOf(event: CloudEvent): { jobId: string; run: string } | null {
  if (event.kind !== 'handled' || event.handled.outcome !== 'duplicate') return null;
  const { run } = event.handled;
  return run === undefined ? null : { jobId: event.jobId, run };
}
