import { type CapacityUnits, type Reading, tenths, usedBetween } from '../domain/bill.ts';
import type { Meter } from '../runtime/ports.ts';
import { watchEventLoopDelay } from './event-loop-delay.ts';
import { watchPeakMemory } from './peak-memory.ts';
import { processFile } from './process-file.ts';
import { countTraffic } from './sockets.ts';

const microsecondsOfMs = 1_000;

/** Measures this process, which runs one attempt at a time. `dynamo`: what has been consumed so far. */
export function processMeter(dynamo: () => CapacityUnits): Meter {
  const traffic = countTraffic();
  const io = processFile('io');
  const read = (): Reading => {
    const { user, system } = process.cpuUsage();
    return {
      wallMs: performance.now(),
      cpuUserMs: user / microsecondsOfMs,
      cpuSystemMs: system / microsecondsOfMs,
      readBytes: io.numberAfter('\nread_bytes:'),
      writtenBytes: io.numberAfter('\nwrite_bytes:'),
      ...traffic(),
      dynamo: dynamo(),
    };
  };
  return {
    start: () => {
      const peakMemory = watchPeakMemory();
      const eventLoopDelay = watchEventLoopDelay();
      const before = read();
      const used = () => {
        const counted = usedBetween(before, read());
        const peak = peakMemory();
        return {
          ...counted,
          ...(peak !== undefined && { peakMemoryMb: tenths(peak) }),
          eventLoopDelayMs: tenths(eventLoopDelay.longest()),
        };
      };
      return { used, stop: eventLoopDelay.stop };
    },
  };
}
