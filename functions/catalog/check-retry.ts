import type { ManifestJob, RetryPolicy } from '../domain/manifest.ts';
import { hour, minute } from '../domain/time.ts';
import { isPlainObject, refuseUnknownKeys, wholeNumber } from './check-shape.ts';
import { checkBackoff, checkCap } from './check-times.ts';
import { type Refuse, shown } from './problem.ts';

/** What becomes of a run that fails, and of its job; what is left out or refused is not part of it. */
export function checkFailing(
  { retry, pauseAfter, notify }: Readonly<Record<string, unknown>>,
  refuse: Refuse,
): Pick<ManifestJob, 'retry' | 'pauseAfter' | 'notify'> {
  const policy = retry === undefined ? undefined : checkRetry(retry, refuse);
  const inARow =
    pauseAfter === undefined
      ? undefined
      : wholeNumber('pauseAfter', pauseAfter, [1, 1_000], ' of failures in a row', refuse);
  if (notify !== undefined && typeof notify !== 'boolean')
    refuse('notify', notify, 'is not allowed; allowed is true or false');
  return {
    ...(policy !== undefined && { retry: policy }),
    ...(inARow !== undefined && { pauseAfter: inARow }),
    ...(notify === false && { notify }),
  };
}

function checkRetry(value: unknown, refuse: Refuse): RetryPolicy | undefined {
  if (!isPlainObject(value)) {
    refuse('retry', value, 'is not allowed; allowed is { attempts, backoff, cap }, such as { attempts: 3 }');
    return undefined;
  }
  refuseUnknownKeys('retry', value, ['attempts', 'backoff', 'cap'], refuse);
  const unit = ' of attempts, the first included,';
  const attempts = wholeNumber('retry.attempts', value.attempts, [2, 20], unit, refuse);
  const backoffMs = value.backoff === undefined ? minute : checkBackoff(value.backoff, refuse);
  const capMs = value.cap === undefined ? Math.max(hour, backoffMs ?? 0) : checkCap(value.cap, refuse);
  if (attempts === undefined || backoffMs === undefined || capMs === undefined) return undefined;
  if (capMs >= backoffMs) return { attempts, backoffMs, capMs };
  const first =
    value.backoff === undefined
      ? "the backoff, which is '1 minute' unless given"
      : `the backoff, ${shown(value.backoff)}`;
  refuse('retry.cap', value.cap, `is shorter than ${first}; no pause is longer than the cap`);
  return undefined;
}
