import type { AlarmPayload, OfferPayload } from '../contract.ts';
import { fireTimeOf } from '../domain/names.ts';

/** An event that neither an alarm nor the reconciler sent. It starts nothing. */
export class ForeignPayload extends Error {
  constructor(problem: string, jobId: string) {
    super(
      `a payload that isn't ours: ${problem}. The function of ${jobId} takes an alarm ` +
        `{"fireledger":"alarm","jobId":"${jobId}","scheduledTime":"…","attemptNumber":"…"} or an offer ` +
        `{"fireledger":"offer","jobId":"${jobId}","run":"2026-11-30T19:00:00Z","token":"…","attempt":1}; ` +
        'to start the job by hand, let the ledger offer it instead of invoking the function',
    );
    this.name = 'ForeignPayload';
  }
}

/**
 * What a job's function was invoked with.
 *
 * @throws ForeignPayload naming what arrived by its keys, never by its values
 */
export function parseEvent(event: unknown, jobId: string): AlarmPayload | OfferPayload {
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw new ForeignPayload(`got ${kindOf(event)}, not an object`, jobId);
  const fields: Readonly<Record<string, unknown>> = { ...event };
  if (fields.fireledger !== 'alarm' && fields.fireledger !== 'offer')
    throw new ForeignPayload(
      `its field "fireledger" is neither "alarm" nor "offer", its keys are ${keysOf(fields)}`,
      jobId,
    );
  if (fields.jobId !== jobId)
    throw new ForeignPayload(`its field "jobId" names another job, its keys are ${keysOf(fields)}`, jobId);
  return fields.fireledger === 'alarm' ? alarmOf(fields, jobId) : offerOf(fields, jobId);
}

function alarmOf(fields: Readonly<Record<string, unknown>>, jobId: string): AlarmPayload {
  return {
    fireledger: 'alarm',
    jobId,
    scheduledTime: textOf(fields, 'scheduledTime', jobId),
    attemptNumber: typeof fields.attemptNumber === 'string' ? fields.attemptNumber : '',
  };
}

function offerOf(fields: Readonly<Record<string, unknown>>, jobId: string): OfferPayload {
  const { attempt } = fields;
  if (typeof attempt !== 'number' || !Number.isInteger(attempt) || attempt < 1)
    throw new ForeignPayload(
      `its field "attempt" must be a whole number of at least 1, got ${kindOf(attempt)}`,
      jobId,
    );
  const run = textOf(fields, 'run', jobId);
  if (fireTimeOf(run) === null) throw new ForeignPayload('its field "run" is not the key of a run', jobId);
  return { fireledger: 'offer', jobId, run, token: textOf(fields, 'token', jobId), attempt };
}

function textOf(fields: Readonly<Record<string, unknown>>, name: string, jobId: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '')
    throw new ForeignPayload(`its field "${name}" must be text, got ${kindOf(value)}`, jobId);
  return value;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

const mostKeys = 10;
const longestKey = 40;

function keysOf(fields: Readonly<Record<string, unknown>>): string {
  const keys = Object.keys(fields);
  const shown = keys.slice(0, mostKeys).map((key) => JSON.stringify(key.slice(0, longestKey)));
  const more = keys.length > mostKeys ? [`and ${keys.length - mostKeys} more`] : [];
  return [...shown, ...more].join(', ') || 'none';
}
