import type { AlarmPayload, OfferPayload, SweepPayload } from '../contract.ts';
import { fireKey, runId } from '../domain/names.ts';
import { floorToMinute, fromIso } from '../domain/time.ts';

/** What chaos strikes: an alarm's delivery, an offer's invocation, a sweep, or a message on the control queue. */
export interface Disturbed {
  readonly of: 'alarm' | 'offer' | 'sweep' | 'message';
  readonly jobId?: string;
  /** The id of the run that it is about. */
  readonly run?: string;
}

/** What is delivered with a payload; null for one that isn't ours. */
export function deliveryOf(payload: unknown): Disturbed | null {
  if (typeof payload !== 'object' || payload === null || !('fireledger' in payload)) return null;
  const ours = payload as AlarmPayload | OfferPayload | SweepPayload;
  if (ours.fireledger === 'sweep') return { of: 'sweep' };
  if (ours.fireledger === 'alarm') return { of: 'alarm', jobId: ours.jobId, ...fireOf(ours) };
  return { of: 'offer', jobId: ours.jobId, run: runId({ jobId: ours.jobId, key: ours.run }) };
}

function fireOf({ jobId, scheduledTime }: AlarmPayload): Pick<Disturbed, 'run'> {
  const scheduled = fromIso(scheduledTime);
  return scheduled === null ? {} : { run: runId({ jobId, key: fireKey(floorToMinute(scheduled)) }) };
}
