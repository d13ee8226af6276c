import type { ReconcilerPorts } from './ports.ts';

/** Work on one open run, whose failure is told and stops no other. */
export async function guarded(
  { log }: Pick<ReconcilerPorts, 'log'>,
  what: string,
  work: Promise<void>,
): Promise<void> {
  await work.catch((error: unknown) => log.error('an open run could not be attended to', { what, error }));
}
