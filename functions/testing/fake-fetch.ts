/** What a faked address answers: text, a value that becomes JSON, a Response, an Error that is thrown, or a function that makes one of these. */
export type FakeAnswer = string | object | Response | Error | ((request: Request) => unknown);

export interface FakeCall {
  readonly request: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface FakeFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Every request so far, in order. */
  readonly calls: readonly FakeCall[];
}

/**
 * A `fetch` that answers without a network: `fakeFetch({ 'GET https://api.example.com/rates': { usd: 1 } })`. A request
 * that has no answer is refused with the list of those that have.
 */
export function fakeFetch(answers: Readonly<Record<string, FakeAnswer>> = {}): FakeFetch {
  const calls: FakeCall[] = [];
  const fake = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const name = `${request.method} ${request.url}`;
    const body = await request.clone().text();
    calls.push({ request: name, headers: Object.fromEntries(request.headers), body });
    request.signal.throwIfAborted();
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
    if (answer === undefined) throw new Error(unanswered(name, Object.keys(answers)));
    return responseOf(typeof answer === 'function' ? await answer(request) : answer);
  };
  return Object.assign(fake, { calls });
}

async function responseOf(answer: unknown): Promise<Response> {
  if (answer instanceof Error) throw answer;
  if (answer instanceof Response) return copyOf(answer);
  return typeof answer === 'string' ? new Response(answer) : Response.json(answer);
}

/** Whole, and not a clone: whoever cancels the body of a clone waits for its other half for ever. */
async function copyOf(answer: Response): Promise<Response> {
  const body = await answer.clone().arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, answer);
}

function unanswered(name: string, known: readonly string[]): string {
  const list = known.length === 0 ? 'none' : known.join(', ');
  return `the test has no answer for ${name}; answered are: ${list}. Give one: fetch: fakeFetch({ '${name}': … })`;
}
