export { type Changes, changesBetween, type LedgerFacts, needsLook } from './changes.ts';
export type { FireChanges } from './fires.ts';
export type { JobChange, JobFacts, Usual } from './job-change.ts';
export { everyLook, type Look, looks } from './looks.ts';
export type { ComparedOption } from './options.ts';
export { excessOf, type PoolChange } from './pools.ts';
export type { Grant } from './rights.ts';
export { type DroppedFire, doubtfulFires, type TouchedRuns } from './runs.ts';
