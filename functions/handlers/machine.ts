import { randomUUID } from 'node:crypto';
import type { DrawToken } from '../domain/ports.ts';
import type { After } from '../runtime/ports.ts';

/** Of a UUID's 32 hex digits the last 24: 90 random bits, which Node draws for many at once; a start waits for this one. */
export const drawToken: DrawToken = () => randomUUID().replaceAll('-', '').slice(8);

export const after: After = (ms, onOver) => {
  const timeout = setTimeout(onOver, ms);
  return () => clearTimeout(timeout);
};
