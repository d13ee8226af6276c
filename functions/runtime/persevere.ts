import { Unwritable } from '../domain/ledger.ts';
import type { Ports } from './ports.ts';

const firstPauseMs = 50;
const longestPauseMs = 2_000;

/**
 * Repeats what the store rejected, after growing pauses with jitter, while `until` (epoch milliseconds) is not reached, and
 * unless the store can never take it. Only for writes that recognise themselves: a rejected one may have landed.
 *
 * @throws the last rejection
 */
export async function persevere<T>(
  what: string,
  write: () => Promise<T>,
  { until, ports }: { until: number; ports: Pick<Ports, 'clock' | 'after' | 'random' | 'log'> },
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      const pauseMs = Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs) * (0.5 + ports.random() / 2);
      if (error instanceof Unwritable || ports.clock() + pauseMs >= until) throw error;
      ports.log.warn(`${what} was rejected, trying again`, { tries, error });
      await new Promise<void>((resolve) => ports.after(pauseMs, resolve));
    }
  }
}
