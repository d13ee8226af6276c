import { longestTimeoutMs } from '../../contract.ts';
import { second } from '../../domain/time.ts';
import type { Found } from './found.ts';
import { numberOf } from './values.ts';

const memoryMb = { least: 128, most: 10_240 };

/** A Lambda function's own limits, where they are within ours. */
export function limitsOf(timeout: unknown, memory: unknown): Pick<Found, 'timeoutMs' | 'memoryMb'> {
  const [seconds, megabytes] = [numberOf(timeout), numberOf(memory)];
  return {
    ...(seconds !== undefined &&
      Number.isInteger(seconds) &&
      seconds >= 1 && { timeoutMs: Math.min(seconds * second, longestTimeoutMs) }),
    ...(megabytes !== undefined &&
      Number.isInteger(megabytes) &&
      megabytes >= memoryMb.least &&
      megabytes <= memoryMb.most && { memoryMb: megabytes }),
  };
}
