import type { Ledger } from '../../functions/domain/ledger.ts';

/** The ledger's verbs that answer in pages; each other one answers with a promise. */
export const pagedVerbs: ReadonlySet<keyof Ledger> = new Set(['history', 'actions', 'closedDays']);
