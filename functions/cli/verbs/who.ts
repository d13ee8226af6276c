import type { Command } from 'commander';
import { nearest } from '../../catalog/nearest.ts';
import { occupancies, sortedBy } from '../../domain/contention/occupancy.ts';
import { meteredNames, meteredUnits } from '../../domain/contention/usage.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { PublishedManifest } from '../../domain/manifest.ts';
import type { Run } from '../../domain/run.ts';
import { readingZone } from '../instants.ts';
import { type Io, writeJson } from '../io.ts';
import { deployedJobs, everyJob } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { pastRange } from '../past-range.ts';
import { oneLine } from '../render/text.ts';
import { whoJson } from '../render/who-json.ts';
import { type Who, whoText } from '../render/who-text.ts';
import { runsAround } from '../runs-around.ts';
import { UserError } from '../user-error.ts';

interface WhoOptions extends LedgerOptions {
  readonly pool?: string;
  readonly from?: string;
  readonly to?: string;
  readonly by?: string;
}

export function addWho(fl: Command, io: Io): void {
  withLedgerOptions(fl.command('who'))
    .description('who held a pool when, waited for it, and what they used meanwhile')
    .option('--pool <name>', 'of this pool, or of what jobs meter under this name (default: all runs)')
    .option('--from <time>', 'from this time; 02:00 is the last there was (default: an hour before --to)')
    .option('--to <time>', 'up to this time (default: now); a date is its whole day')
    .option(
      '--by <what>',
      'the most of this first: a unit that is metered, cpu, bytes or held (default: the first unit, else held; of all runs cpu)',
    )
    .addHelpText(
      'after',
      `
Times without a zone are those of the jobs if all of them have one zone, else UTC. An attempt's bill is one sum: its use
is taken to be spread evenly over the time that it was alive. Found are runs that were due up to 24 hours before the range;
open ones, and those that a person asked for, whenever they were due. What a run that crashed or still goes on has used
isn't known, and is shown as "-". SHARE is what it held of the pool's capacity over the whole range: 1 of 2 units for half
of the range is 25 %. What ran and used the pool without holding any of it is marked "ran".

Examples:
  fl who --pool reports-db --from 02:00 --to 02:20
  fl who --pool reports-db --from 2026-12-01T02:00 --to 2026-12-01T02:20 --by reads --json
  fl who --by bytes`,
    )
    .action((options: WhoOptions) =>
      usingLedger(options, 'who', async (open) => {
        const found = await who(open, options, io);
        if (options.json) await writeJson(io, whoJson(found));
        else await io.write(`${whoText(found, io.look)}\n`);
      }),
    );
}

async function who({ ledger, name }: OpenLedger, options: WhoOptions, io: Io): Promise<Who> {
  const { pool } = options;
  const now = io.now();
  const manifest = await deployedJobs(ledger, name);
  const timezone = readingZone(zonesOf(manifest, pool), options, io);
  const range = pastRange(options, { timezone, now });
  const runs = await runsAround(ledger, everyJob(manifest), range);
  const capacity = pool === undefined ? undefined : await capacityOf(ledger, pool, { manifest, runs });
  const question = { ...(pool !== undefined && { pool }), ...(capacity !== undefined && { capacity }) };
  const found = occupancies(runs, { ...question, range, now });
  const units =
    pool === undefined
      ? []
      : meteredUnits(
          found.flatMap(({ attempt }) => attempt ?? []),
          pool,
        );
  const by = byOf(options, units);
  return { ...question, range, by, rows: sortedBy(by, found), units, timezone, now };
}

/** Of the jobs that take of the pool, or of all there are. */
function zonesOf({ jobs }: PublishedManifest, pool: string | undefined): string[] {
  const takers = jobs.filter(({ pools = {} }) => pool !== undefined && Object.hasOwn(pools, pool));
  return (takers.length > 0 ? takers : jobs).map(({ spec }) => spec.timezone);
}

/** Undefined when there is no such pool, though jobs meter something under its name. */
async function capacityOf(
  ledger: Pick<Ledger, 'pools'>,
  pool: string,
  { manifest, runs }: { manifest: PublishedManifest; runs: readonly Run[] },
): Promise<number | undefined> {
  const state = (await ledger.pools([pool])).get(pool);
  if (state !== undefined) return state.capacity;
  const declared = Object.keys(manifest.pools ?? {});
  const known = [...new Set([...declared, ...runs.flatMap(meteredNames)])].sort();
  if (known.includes(pool)) return manifest.pools?.[pool]?.capacity;
  const near = nearest(pool, known);
  const hint = near === null ? `there are ${known.join(', ') || 'none'}` : `did you mean ${near}?`;
  throw new UserError(
    `there is no pool "${oneLine(pool)}", and nothing was metered under that name; ${oneLine(hint)}`,
  );
}

function byOf({ by, pool }: WhoOptions, units: readonly string[]): string {
  const allowed = [...units, 'held', 'cpu', 'bytes'];
  if (by === undefined) return pool === undefined ? 'cpu' : (units[0] ?? 'held');
  if (allowed.includes(by)) return by;
  throw new UserError(
    `--by: "${oneLine(by)}" was not metered in that time; there is ${allowed.map(oneLine).join(', ')}`,
  );
}
