import { type ManifestJob, type MissedPolicy, missedPolicies } from '../domain/manifest.ts';
import { choice, isPlainObject, refuseUnknownKeys, wholeNumber } from './check-shape.ts';
import { checkMaxAge, checkMaxWait } from './check-times.ts';
import type { Findings } from './problem.ts';

const missedIsMissing = `missed: missing, and it has no default: what if nothing started a fire within its grace, as in an outage?
'all' makes up every one, oldest first;
'latest' makes up the newest, which covers the older ones;
'skip' writes them down and runs nothing;
{ policy, limit, maxAge, rate } bounds how many, how old and how fast`;

const crashedIsMissing = `crashed: missing, and it has no default: what if the process died half-way, when nobody knows what it had done?
'rerun' runs it again from its start: right if doing it twice does no harm;
'park' stops until a person has looked and says: fl release`;

/** The policy with its defaults filled in, or undefined when it was refused. */
export function checkMissed(value: unknown, { refuse, report }: Findings): MissedPolicy | undefined {
  if (value === undefined) {
    report('missed', missedIsMissing);
    return undefined;
  }
  const parts = isPlainObject(value) ? value : { policy: value };
  refuseUnknownKeys('missed', parts, ['policy', 'limit', 'maxAge', 'rate'], refuse);
  const policy = choice(parts === value ? 'missed.policy' : 'missed', parts.policy, missedPolicies, refuse);
  const { limit: newest = 100, rate = 10 } = parts;
  const limit = wholeNumber('missed.limit', newest, [1, 10_000], '', refuse);
  const maxAgeMs = checkMaxAge(parts.maxAge, refuse);
  const ratePerMinute = wholeNumber('missed.rate', rate, [1, 1_000], ' a minute', refuse);
  if (policy === undefined || limit === undefined || maxAgeMs === undefined || ratePerMinute === undefined)
    return undefined;
  return { policy, limit, maxAgeMs, ratePerMinute };
}

export function checkCrashed(value: unknown, findings: Findings): ManifestJob['crashed'] | undefined {
  if (value === undefined) {
    findings.report('crashed', crashedIsMissing);
    return undefined;
  }
  return supported('crashed', value, { works: ['rerun', 'park'], later: ['resume'] }, findings);
}

export function checkOverlap(value: unknown, findings: Findings): ManifestJob['overlap'] | undefined {
  if (value === undefined) return 'skip';
  const choices = { works: ['skip', 'queue', 'queue-one', 'allow'], later: ['cancel-running'] } as const;
  return supported('overlap', value, choices, findings);
}

/** How many fires may wait, and how long; what is left out or refused is not part of it. */
export function checkQueue(
  { overlap, maxQueued, maxWait }: Readonly<Record<string, unknown>>,
  { refuse, report }: Findings,
): Pick<ManifestJob, 'maxQueued' | 'maxWaitMs'> {
  const most =
    maxQueued === undefined ? undefined : wholeNumber('maxQueued', maxQueued, [1, 1_000], '', refuse);
  const waitMs = maxWait === undefined ? undefined : checkMaxWait(maxWait, refuse);
  if (maxQueued !== undefined && overlap !== 'queue')
    report(
      'maxQueued',
      "maxQueued: its fires don't queue; write overlap: 'queue', or leave it out",
      maxQueued,
    );
  if (maxWait !== undefined && overlap !== 'queue' && overlap !== 'queue-one')
    report('maxWait', "maxWait: its fires don't queue; write overlap: 'queue', or leave it out", maxWait);
  return {
    ...(most !== undefined && { maxQueued: most }),
    ...(waitMs !== undefined && { maxWaitMs: waitMs }),
  };
}

/** One of the choices that work; one that will is refused by saying so. */
function supported<const Works extends string>(
  option: string,
  value: unknown,
  { works, later }: { readonly works: readonly Works[]; readonly later: readonly string[] },
  { refuse }: Findings,
): Works | undefined {
  if (!later.some((name) => name === value)) return choice(option, value, works, refuse);
  refuse(option, value, `is not supported yet; allowed is ${works.map((name) => `"${name}"`).join(' or ')}`);
  return undefined;
}
