import type { Catalog } from '../../catalog/index.ts';
import { canonicalJson } from '../../domain/fingerprint.ts';
import { type ManifestJob, publicManifest } from '../../domain/manifest.ts';
import { oneLine } from '../render/text.ts';
import { localText } from '../render/times.ts';
import { type Check, fine, foundNone, unknown } from './check.ts';
import type { LedgerFacts } from './ledger.ts';

const manyFailures = 3;

export function pausedCheck({ manifest, states }: LedgerFacts): Check {
  const items = manifest.jobs.flatMap(({ id, spec }) => {
    const paused = states.get(id)?.paused;
    if (paused === undefined) return [];
    const note = paused.note === '' ? '' : `: ${oneLine(paused.note)}`;
    const end = paused.until === undefined ? '' : ` until ${localText(paused.until, spec.timezone)}`;
    return [`${id}: since ${localText(paused.at, spec.timezone)}${end}, by ${oneLine(paused.by)}${note}`];
  });
  const says = 'jobs that are stopped; their fires are recorded as skipped';
  return foundNone(items, { name: 'paused jobs', verdict: 'note', says }, 'none');
}

export function failingCheck({ manifest, states }: LedgerFacts): Check {
  const items = manifest.jobs.flatMap(({ id }) => {
    const { failuresInARow = 0, lastSuccess } = states.get(id) ?? {};
    if (failuresInARow < manyFailures) return [];
    const since =
      lastSuccess === undefined
        ? 'never succeeded'
        : `last success ${localText(lastSuccess.settledAt, 'UTC')}`;
    return [`${id}: ${failuresInARow} times in a row, ${since}`];
  });
  const check: Check = {
    name: 'failing jobs',
    verdict: 'wrong',
    says: `jobs that failed ${manyFailures} times in a row or more`,
    todo: 'fl runs --job JOB --state failed tells why',
  };
  return foundNone(items, check, 'none');
}

/** The ledger's manifest against the schedules that are in force, and against whether its publication came to an end. */
export function inForceCheck({ manifest, states, reconciler }: LedgerFacts): Check {
  const items = manifest.jobs
    .filter(({ id, specId }) => states.get(id)?.specId !== specId)
    .map(
      ({ id }) =>
        `${id}: ${states.get(id)?.specId === undefined ? 'no schedule' : 'another schedule'} is in force`,
    );
  const check: Check = {
    name: 'in force',
    verdict: 'wrong',
    says: 'the schedules of some deployed jobs are not in force',
    todo: 'wait for the next sweep; if it stays so, see what the reconciler logs of them',
  };
  if (items.length === 0 && reconciler?.manifestId === undefined)
    return {
      name: 'in force',
      verdict: 'note',
      says: 'the reconciler is still at a deployment: a removed job is being wound up',
    };
  return foundNone(items, check, 'the schedules of all deployed jobs');
}

/** What would change if the working copy were deployed now. */
export function deployedCheck({ manifest }: LedgerFacts, catalog: Catalog | null, how: string): Check {
  const name = 'deployed';
  if (catalog === null) return unknown(name, "not compared: a job file can't be used");
  const here = byId(publicManifest(catalog.manifest).jobs);
  const there = byId(manifest.jobs);
  const items = [...new Set([...here.keys(), ...there.keys()])].sort().flatMap((id) => {
    const difference = differenceOf(here.get(id), there.get(id));
    return difference === null ? [] : [`${id}: ${difference}`];
  });
  const says = 'the working copy is another one than what is deployed';
  return foundNone(items, { name, verdict: 'note', says, todo: how }, 'as the working copy');
}

function byId(jobs: readonly ManifestJob[]): Map<string, ManifestJob> {
  return new Map(jobs.map((job) => [job.id, job]));
}

function differenceOf(here: ManifestJob | undefined, there: ManifestJob | undefined): string | null {
  if (there === undefined) return 'only here';
  if (here === undefined) return 'only deployed';
  const options = new Set([...Object.keys(here), ...Object.keys(there)] as (keyof ManifestJob)[]);
  const changed = [...options].filter(
    (option) => canonicalJson(here[option]) !== canonicalJson(there[option]),
  );
  const told = changed.map((option) => optionNames[option] ?? option).filter((option) => option !== '');
  return changed.length === 0 ? null : `another ${told.join(', ') || 'schedule'}`;
}

/** As authors call them. */
const optionNames: Readonly<Partial<Record<keyof ManifestJob, string>>> = {
  spec: 'schedule',
  specId: '',
  timeoutMs: 'timeout',
  graceMs: 'grace',
  memoryMb: 'memory',
};

export function zonesCheck({ zones }: LedgerFacts, here: string = process.versions.tz ?? 'unknown'): Check {
  const name = 'time zones';
  if (zones === null) return unknown(name, 'the reconciler has recorded none yet');
  if (zones.tzdata === here) return fine(name, `rules ${here}, here and where the fires are decided`);
  return {
    name,
    verdict: 'note',
    says: `rules ${zones.tzdata} where the fires are decided, ${here} here`,
    todo: 'fl next and fl audit here may differ from it around changed rules; use the same Node for both',
  };
}
