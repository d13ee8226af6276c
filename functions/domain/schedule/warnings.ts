import type { Spec } from './schedule.ts';

/** What is valid and probably not meant, one sentence each, with the fires that show it. */
export function warnings(_spec: Spec, _now: number): string[] {
  return [];
}
