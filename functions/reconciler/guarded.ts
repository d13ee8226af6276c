import type { ReconcilerPorts } from './ports.ts';

/** Work on one open run, whose failure is told and stops no other; null: it failed. */
export async function guarded<T>(
  { log }: Pick<ReconcilerPorts, 'log'>,
  what: string,
  work: Promise<T>,
): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    log.error('an open run could not be attended to', { what, error });
    return null;
  }
}
