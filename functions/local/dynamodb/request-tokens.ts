import type { Wire } from './dynalite-engine.ts';
import { DynamoDbError } from './dynamodb-error.ts';

const REMEMBERED_MS = 10 * 60_000;
const MAX_TOKEN_LENGTH = 36;

interface Remembered {
  readonly request: string;
  readonly answer: Wire;
  readonly until: number;
}

/** Makes a transaction that names the token of an earlier success within 10 minutes answer as that one did. */
export class RequestTokens {
  readonly #remembered = new Map<string, Remembered>();
  readonly #now: () => number;

  /** `now`: epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs `write` unless this token's request was already done. Throws when the token stands for another request. */
  async once(input: Wire, write: () => Promise<Wire>): Promise<Wire> {
    const token = readToken(input);
    if (token === undefined) return write();
    this.#forgetOld();
    const request = requestText(input);
    const earlier = this.#remembered.get(token);
    if (earlier === undefined) return this.#remember(token, request, await write());
    if (earlier.request === request) return earlier.answer;
    throw new DynamoDbError(
      'IdempotentParameterMismatchException',
      'The request uses the same client token as a previous, but non-identical request.',
    );
  }

  #remember(token: string, request: string, answer: Wire): Wire {
    this.#remembered.set(token, { request, answer, until: this.#now() + REMEMBERED_MS });
    return answer;
  }

  #forgetOld(): void {
    const now = this.#now();
    for (const [token, { until }] of this.#remembered) {
      if (until > now) return;
      this.#remembered.delete(token);
    }
  }
}

function readToken(input: Wire): string | undefined {
  const token = input.ClientRequestToken;
  if (token === undefined || token === null) return undefined;
  if (typeof token === 'string' && token.length > 0 && token.length <= MAX_TOKEN_LENGTH) return token;
  throw new DynamoDbError(
    'ValidationException',
    `ClientRequestToken must have 1 to ${MAX_TOKEN_LENGTH} characters`,
  );
}

function requestText(input: Wire): string {
  return JSON.stringify(input.TransactItems);
}
