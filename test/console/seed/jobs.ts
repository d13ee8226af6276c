import { type JobEntry, specIdOf } from '../../../functions/domain/manifest.ts';
import type { Pool } from '../../../functions/domain/pools.ts';
import { cron, type Spec } from '../../../functions/domain/schedule/index.ts';
import { day, minute, second } from '../../../functions/domain/time.ts';
import { manifestJob } from '../../support/jobs.ts';

/** A job, what it was before its schedule was edited, and how its runs usually go. */
export interface SeedJob {
  readonly entry: JobEntry;
  /** In force from the beginning until the edit. */
  readonly before?: { readonly spec: Spec; readonly specId: string; readonly until: number };
  readonly usualMs: number;
  /** Of its runs so many fail for good. */
  readonly failing: number;
}

export const pools: Readonly<Record<string, Pool>> = {
  'reports-db': { capacity: 6, describe: 'IO of the reporting database' },
  'payments-db': { capacity: 4, describe: 'IO of the payments database' },
  'mail-relay': { capacity: 8, describe: 'connections to the mail relay' },
};

const areas = ['billing', 'reports', 'rates', 'search', 'warehouse', 'mail', 'users', 'orders', 'uptime'];
const tasks = [
  ...['send-invoices', 'reconcile-payments', 'daily-sales', 'refresh-index', 'expire-sessions', 'sync-stock'],
  ...['pull-fx', 'compact-history', 'check-certificates', 'export-ledger', 'recount-quotas', 'warm-caches'],
  ...['rotate-keys', 'score-risk', 'mirror-catalog', 'digest', 'dunning', 'purge-drafts', 'snapshot'],
  ...['verify-backups', 'rebuild-facets', 'close-books', 'poll-carriers'],
];
const zones = ['UTC', 'Asia/Taipei', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'America/Chicago'];
const overlaps = ['queue', 'skip', 'skip', 'queue-one'] as const;

/** Of ten jobs, what their hour fields say; the first of a dense ledger are due twice an hour. */
const denseHours = ['twice', '*', '*', '*', '*/2', '*/2', '*/2', '*/6', '3', '2'];
const sparseHours = ['*/3', '*/4', '*/4', '*/6', '*/12', '*/12', '3', '3', '2', '1'];

/** So many jobs, of which one is due `isDense` some 500 times in 30 days, else 100 times. A few were edited at `edits`. */
export function seedJobs(
  count: number,
  { isDense, edits }: { isDense: boolean; edits: readonly number[] },
): SeedJob[] {
  const hours = isDense ? denseHours : sparseHours;
  return Array.from({ length: count }, (_, index) => {
    const atHours = hours[(index + Math.floor(index / 10)) % 10] ?? '3';
    const entry = entryOf(index, atHours);
    const usualMs = (20 * second + (index % 7) * 25 * second) * (atHours.length === 1 ? 6 : 1);
    const edit = edits[index % 40];
    const spec = specOf(index + 17, atHours);
    return {
      ...{ entry, usualMs: Math.min(usualMs, 12 * minute), failing: index % 37 === 5 ? 0.2 : 0.006 },
      ...(edit !== undefined && { before: { spec, specId: specIdOf(spec), until: edit } }),
    };
  });
}

function entryOf(index: number, atHours: string): JobEntry {
  const task = tasks[index % tasks.length] ?? '';
  const area = areas[index % areas.length] ?? '';
  const spec = specOf(index, atHours);
  return manifestJob({
    id: `${area}/${task}`,
    file: `${area}/${task}.ts`,
    description: `${task.replaceAll('-', ' ')} of ${area}`,
    ...{ spec, overlap: overlaps[index % 4] ?? 'skip', timeoutMs: 14 * minute },
    crashed: index % 5 === 0 ? 'park' : 'rerun',
    missed: { policy: index % 3 === 0 ? 'skip' : 'all', limit: 100, maxAgeMs: 7 * day, ratePerMinute: 10 },
    ...poolsOf(index),
  });
}

function specOf(index: number, atHours: string): Spec {
  const at = (index * 7) % 60;
  const text = atHours === 'twice' ? `${at % 30},${(at % 30) + 30} * * * *` : `${at} ${atHours} * * *`;
  return { schedules: [cron(text)], timezone: zones[index % zones.length] ?? 'UTC' };
}

/** Every third takes of one. */
function poolsOf(index: number): Pick<JobEntry, 'pools'> {
  const names = Object.keys(pools);
  const pool = names[Math.floor(index / 3) % names.length];
  return index % 3 === 1 && pool !== undefined ? { pools: { [pool]: 1 + (index % 2) } } : {};
}
