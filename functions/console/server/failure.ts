import { oneLine } from '../../cli/render/text.ts';
import { UserError } from '../../cli/user-error.ts';
import { Refused, Unseen } from '../../operator/ports.ts';
import { AskedWrongly } from '../api/view.ts';
import { type Answer, json } from './answer.ts';

/** The request itself is at fault, whatever it asks for. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * What the page is told of a failure: what, and what to do. Of one that nobody foresaw it only learns that there was one; `report`
 * has it whole.
 */
export function failure(error: unknown, report: (error: unknown) => void): Answer {
  if (error instanceof AskedWrongly || error instanceof BadRequest)
    return json({ error: error.message }, error.status);
  if (error instanceof Refused) return json({ error: error.message }, 409);
  if (error instanceof UserError) return json({ error: error.message }, 400);
  report(error);
  if (error instanceof Unseen) return json({ error: oneLine(error.message) }, 502);
  if (isOfLedger(error))
    return json({ error: `the ledger can't be read: ${oneLine(error.message).slice(0, 300)}` }, 502);
  return json({ error: 'the console failed; its terminal tells how' }, 500);
}

/** It is down, or lets nobody in: what it says is for whoever holds the credentials. */
function isOfLedger(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { message, name } = error;
  return (
    '$metadata' in error ||
    'code' in error ||
    name === 'CredentialsProviderError' ||
    message === 'Region is missing'
  );
}
