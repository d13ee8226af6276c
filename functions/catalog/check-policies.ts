import {
  crashPolicies,
  type ManifestJob,
  type MissedPolicy,
  missedPolicies,
  overlapPolicies,
  queues,
} from '../domain/manifest.ts';
import { choice, isPlainObject, refuseUnknownKeys, wholeNumber } from './check-shape.ts';
import { checkMaxAge, checkMaxWait } from './check-times.ts';
import { needsPools } from './check-weights.ts';
import type { Findings } from './problem.ts';

const missedIsMissing = `missed: missing, and it has no default: what if nothing started a fire within its grace, as in an outage?
'all' makes up every one, oldest first;
'latest' makes up the newest, which covers the older ones;
'skip' writes them down and runs nothing;
{ policy, limit, maxAge, rate } bounds how many, how old and how fast`;

const crashedIsMissing = `crashed: missing, and it has no default: what if the process died half-way, when nobody knows what it had done?
'rerun' runs it again from its start: right if doing it twice does no harm;
'resume' runs it again, and skips the steps that it has done (ctx.step): right if doing one step twice does no harm;
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
  return choice('crashed', value, crashPolicies, findings.refuse);
}

export function checkOverlap(value: unknown, { refuse }: Findings): ManifestJob['overlap'] | undefined {
  return value === undefined ? 'skip' : choice('overlap', value, overlapPolicies, refuse);
}

/** How many fires may wait, and how long; what is left out or refused is not part of it. */
export function checkQueue(
  { overlap, maxQueued, maxWait, pools }: Readonly<Record<string, unknown>>,
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
  if (maxWait !== undefined && !isQueueing(overlap) && !needsPools(pools))
    report(
      'maxWait',
      "maxWait: its fires wait for nothing; write overlap: 'queue', name pools, or leave it out",
      maxWait,
    );
  return {
    ...(most !== undefined && { maxQueued: most }),
    ...(waitMs !== undefined && { maxWaitMs: waitMs }),
  };
}

function isQueueing(overlap: unknown): boolean {
  return overlapPolicies.some((policy) => policy === overlap && queues({ overlap: policy }));
}
