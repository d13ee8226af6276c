import type { Progress, Run } from '../domain/run.ts';
import { second } from '../domain/time.ts';
import type { Ports } from './ports.ts';

/** At most so often it is written while the code runs. */
const writeEveryMs = 5 * second;
const longestNote = 200;

export interface ProgressReport {
  /**
   * @throws RangeError for what is no number from 0
   */
  report(done: number, total?: number, note?: string): void;
  /** What was last reported; the attempt's last write keeps it. */
  last(): Progress | undefined;
}

/** Keeps what running code says of how far it is. A write that fails is logged: the next one says more. */
export function openProgress(
  run: Run,
  ports: Pick<Ports, 'ledger' | 'clock' | 'log' | 'secrets'>,
): ProgressReport {
  let last: Progress | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    report(done, total, note) {
      const at = ports.clock();
      last = {
        ...checked(done, total),
        ...(note !== undefined && { note: kept(ports.secrets.hidden(note)) }),
        at,
      };
      if (at - writtenAt < writeEveryMs) return;
      writtenAt = at;
      void write(run, last, ports);
    },
    last: () => last,
  };
}

async function write(
  run: Run,
  progress: Progress,
  { ledger, log }: Pick<Ports, 'ledger' | 'log'>,
): Promise<void> {
  try {
    const fence = { state: 'running', token: run.token } as const;
    await ledger.move(run, fence, { set: { state: 'running', progress } });
  } catch (error) {
    log.warn('how far the job is could not be written', { error });
  }
}

/** No store takes half a character, and then it takes no last write either. */
function kept(note: string): string {
  return note.slice(0, longestNote).toWellFormed();
}

function checked(done: number, total: number | undefined): Pick<Progress, 'done' | 'total'> {
  for (const [name, value] of Object.entries({ done, total }))
    if (value !== undefined && !(typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY))
      throw new RangeError(`ctx.progress: ${name} is a number from 0, such as 120; got ${String(value)}`);
  return { done, ...(total !== undefined && { total }) };
}
