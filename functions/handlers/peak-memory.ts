import { processFile } from './process-file.ts';

const kbOfMb = 1024;
/** Linux begins its count of a process's highest memory anew, and does nothing else. */
const forgetPeak = '5';

/**
 * The most memory that this process holds at once from now on, in MB. The system remembers the highest of a process's life;
 * where it can't be told to forget, only what is higher still is known to be of now: undefined otherwise.
 */
export function watchPeakMemory(): () => number | undefined {
  const before = highestKb();
  const isForgotten = clearRefs.write(forgetPeak);
  return () => {
    const peak = highestKb();
    return isForgotten || peak > before ? peak / kbOfMb : undefined;
  };
}

const status = processFile('status');
const clearRefs = processFile('clear_refs');

/** Where there is no such file, Node's own count, which can't be reset. */
function highestKb(): number {
  return status.numberAfter('VmHWM:') ?? process.resourceUsage().maxRSS;
}
