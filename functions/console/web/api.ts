import type { ActRequests, ApiError } from '../data.ts';
import { renewSession, session } from './session.ts';

/** What was asked for can't be had; its message is for the person at the page. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  /** Of HTTP. Null: no answer came, so that what was asked for may have been done, or not. */
  readonly status: number | null;

  constructor(status: number | null, message: string) {
    super(message);
    this.status = status;
  }
}

/** The answer to a view's question. @throws ApiFailure */
export async function get<Answer>(path: string): Promise<Answer> {
  return answered<Answer>(await reached(path, {}));
}

/**
 * Does something, once. The token proves that this page asks, and none of another origin. A server that was started anew refuses
 * this page's before it does anything, so that the same is asked once more with its own.
 *
 * @throws ApiFailure, which says whether anything was done
 */
export async function act<Verb extends keyof ActRequests, Answer = unknown>(
  verb: Verb,
  request: ActRequests[Verb],
): Promise<Answer> {
  const first = await send(verb, request);
  if (!(await isOfBefore(first))) return answered<Answer>(first);
  await renewed();
  return answered<Answer>(await send(verb, request));
}

async function send<Verb extends keyof ActRequests>(
  verb: Verb,
  request: ActRequests[Verb],
): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'X-Fireledger-Token': session().token };
  const unknown = `No answer came, so that nobody knows whether it was done. Start the console again (${session().command}), and look before you press once more: what was done stands in the log of actions.`;
  return reached(`/api/act/${verb}`, { method: 'POST', headers, body: JSON.stringify(request) }, unknown);
}

/** The page's token is of a start of the server that is over. */
async function isOfBefore(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const { reload }: Partial<ApiError> = await response
    .clone()
    .json()
    .catch(() => ({}));
  return reload === true;
}

async function renewed(): Promise<void> {
  const renewal = await renewSession().catch(() => {
    throw new ApiFailure(null, 'Nothing was done: the console was stopped. Press again once it is there.');
  });
  if (renewal.kind === 'another ledger')
    throw new ApiFailure(
      409,
      `Nothing was done: the console is that of another ledger now, ${renewal.place}. Load the page again.`,
    );
}

async function reached(
  path: string,
  init: RequestInit,
  says = `The console does not answer. Start it again: ${session().command}`,
): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch {
    throw new ApiFailure(null, says);
  }
}

async function answered<Answer>(response: Response): Promise<Answer> {
  const answer: unknown = await response.json().catch(() => ({ error: response.statusText }));
  if (response.ok) return answer as Answer;
  throw new ApiFailure(response.status, (answer as ApiError).error);
}
