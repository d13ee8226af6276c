import { MINUTE } from './calendar.ts';

/**
 * How much later than its schedule says a job is due, so that jobs of one schedule don't all start at once: a whole
 * number of minutes below `withinMs`, which depends on the job's id alone and so never moves.
 */
export function spreadOf(jobId: string, withinMs: number): number {
  const minutes = Math.max(1, Math.floor(withinMs / MINUTE));
  let hash = 0x811c9dc5;
  // FNV-1a, with a last mixing, since its low bits follow the last letters closely.
  for (const byte of new TextEncoder().encode(jobId)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (((hash ^ (hash >>> 16)) >>> 0) % minutes) * MINUTE;
}
