import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { errorAnswer, send } from './answer.ts';

/** Passes requests on to a DynamoDB, unread and over kept connections. */
export class DynamoDbProxy {
  readonly #endpoint: URL;
  readonly #agent: Agent | TlsAgent;

  /** `endpoint`: `http://HOST:PORT`. */
  constructor(endpoint: string) {
    this.#endpoint = new URL(endpoint);
    const options = { keepAlive: true, noDelay: true };
    this.#agent = this.#isTls ? new TlsAgent(options) : new Agent(options);
  }

  forward(message: IncomingMessage, response: ServerResponse): void {
    const onward = (this.#isTls ? tlsRequest : request)(this.#endpoint, {
      method: message.method ?? 'POST',
      path: message.url ?? '/',
      headers: { ...message.headers, host: this.#endpoint.host },
      agent: this.#agent,
    });
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, withoutCors(answer.headers));
      // Cut off in the middle: the caller is cut off as well.
      pipeline(answer, response, () => {});
    });
    onward.once('error', (error) => this.#fail(response, error));
    // A caller that is gone doesn't wait for an answer; its write may have landed, as with the cloud.
    response.once('close', () => {
      if (!response.writableFinished) onward.destroy();
    });
    message.pipe(onward);
  }

  close(): void {
    this.#agent.destroy();
  }

  get #isTls(): boolean {
    return this.#endpoint.protocol === 'https:';
  }

  #fail(response: ServerResponse, error: Error): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    const message = `The DynamoDB at ${this.#endpoint.origin} doesn't answer: ${error.message}`;
    send(response, errorAnswer(503, 'ServiceUnavailable', message));
  }
}

/** An emulator may allow every web page what it likes; here none is. */
function withoutCors(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('access-control-')));
}
