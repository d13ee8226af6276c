import type { Run } from '../domain/run.ts';
import { second } from '../domain/time.ts';
import { canceledBy, fencedOff, type Interruption } from './interruption.ts';
import { shortToken } from './log.ts';
import type { Ports } from './ports.ts';

/**
 * How often an attempt looks at its own record, and how long it must have lasted before it first does: so that a short
 * run costs no request more, and a request to cancel reaches a long one within 15 s.
 */
export const lookEveryMs = 10 * second;

/** What others write on the record of a run while its code runs. */
export interface RecordWatch {
  /** Resolves once the code is to stop for it; pending for ever when it is not. */
  readonly interrupted: Promise<Interruption>;
  stop(): void;
}

/** Looks at the record until the code is to stop. A read that fails is logged, and the next look goes on. */
export function watchRecord(run: Run, ports: Pick<Ports, 'ledger' | 'after' | 'log'>): RecordWatch {
  let stopped = false;
  let callOff = () => {};
  const interrupted = new Promise<Interruption>((resolve) => {
    const look = async () => {
      const found = await lookAt(run, ports);
      if (stopped) return;
      if (found === null) lookLater();
      else resolve(found);
    };
    const lookLater = () => {
      callOff = ports.after(lookEveryMs, () => void look());
    };
    lookLater();
  });
  const stop = () => {
    stopped = true;
    callOff();
  };
  return { interrupted, stop };
}

async function lookAt(
  run: Run,
  { ledger, log }: Pick<Ports, 'ledger' | 'log'>,
): Promise<Interruption | null> {
  try {
    const standing = await ledger.run(run);
    if (standing?.token !== run.token) {
      log.error('the fence moved: the attempt is told to stop', { theirs: shortToken(standing?.token) });
      return fencedOff();
    }
    const { cancelRequested } = standing;
    if (cancelRequested === undefined) return null;
    log.warn('asked to end', { ...cancelRequested });
    return canceledBy(cancelRequested);
  } catch (error) {
    log.warn('a look at the own record failed: no request to cancel is seen until the next', { error });
    return null;
  }
}
