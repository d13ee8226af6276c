import type { ActRequests, ApiError } from '../data.ts';

/** The answer to a view's question. @throws with what the server says, or that it can't be reached */
export async function get<Answer>(path: string): Promise<Answer> {
  return answered<Answer>(await reached(path, {}));
}

/** Does something. The token proves that this page asks, and none of another origin. */
export async function act<Verb extends keyof ActRequests, Answer = unknown>(
  verb: Verb,
  request: ActRequests[Verb],
): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', 'X-Fireledger-Token': token() };
  const body = JSON.stringify(request);
  return answered<Answer>(await reached(`/api/act/${verb}`, { method: 'POST', headers, body }));
}

async function reached(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch {
    throw new Error('The console does not answer: is npm start, or npm run console, still running?');
  }
}

async function answered<Answer>(response: Response): Promise<Answer> {
  const answer: unknown = await response.json().catch(() => ({ error: response.statusText }));
  if (response.ok) return answer as Answer;
  const { error, reload } = answer as ApiError;
  // The server was started anew: this page's token is of before.
  if (reload) location.reload();
  throw new Error(error);
}

function token(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="fireledger-token"]')?.content ?? '';
}
