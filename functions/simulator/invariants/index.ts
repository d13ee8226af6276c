import type { Invariant } from '../observe.ts';

export const invariants: readonly Invariant[] = [];
