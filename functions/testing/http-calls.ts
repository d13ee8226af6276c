import { Agent, type ClientRequest } from 'node:http';
import type { Execution } from './execution.ts';

type AddRequest = (this: Agent, request: ClientRequest, ...rest: unknown[]) => void;

/** Where every request of node:http and node:https gets its socket, those of the AWS SDK among them. */
const agents = Agent.prototype as unknown as { addRequest: AddRequest };

/** While `work` goes on, requests that job code makes through node:http are calls of its execution. */
export async function withHttpCalls<T>(
  current: () => Execution | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { addRequest } = agents;
  agents.addRequest = function (request, ...rest) {
    const execution = current();
    const send = () => addRequest.call(this, request, ...rest);
    if (execution === undefined) send();
    else void simulate(request, send, execution);
  };
  try {
    return await work();
  } finally {
    agents.addRequest = addRequest;
  }
}

async function simulate(request: ClientRequest, send: () => void, execution: Execution): Promise<void> {
  const { method, protocol, path } = request;
  const address = `${method} ${protocol}//${request.getHeader('host')}${path}`;
  const emit = request.emit;
  const answer = held(request);
  const forget = execution.whenDead(() => {
    request.emit = () => true;
    request.destroy();
  });
  const perform = () => {
    send();
    return answer;
  };
  try {
    const tell = await execution.call(address, perform, destroyed(request));
    tell();
  } catch (error) {
    if (request.listenerCount('error') > 0) emit.call(request, 'error', error);
  } finally {
    forget();
  }
}

/** Holds back a request's response or error. Resolves to how to tell it, once there is one. */
function held(request: ClientRequest): Promise<() => void> {
  const { emit } = request;
  return new Promise((resolve) => {
    request.emit = (name: string | symbol, ...args: unknown[]) => {
      if (name !== 'response' && name !== 'error') return emit.call(request, name, ...args);
      resolve(() => {
        request.emit = emit;
        emit.call(request, name, ...args);
      });
      return true;
    };
  });
}

/** Aborts when the request is destroyed; one without a socket tells nobody. */
function destroyed(request: ClientRequest): AbortSignal {
  const abort = new AbortController();
  const { destroy } = request;
  request.destroy = (error?: Error) => {
    abort.abort(error);
    return destroy.call(request, error);
  };
  return abort.signal;
}
