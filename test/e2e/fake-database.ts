import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** It does so many reads in a tick. */
const readsPerTick = 6_000;
/** So many requests may be left over from a tick; what is beyond is refused. */
const longestQueue = 4;

/** A report sends its requests all at once. Of each of its requests it says for how many reads it is. */
export interface Report {
  readonly requests: number;
  readonly readsEach: number;
}

interface Asked {
  readonly client: string;
  /** How many requests its client sends at once. */
  readonly together: number;
  readonly reads: number;
  readonly answer: (status: number) => void;
}

/**
 * A database server with a fixed budget of IO, on loopback. Its ticks are not the clock's, so that what comes of it hangs on
 * no machine's speed: it answers nobody until it is opened; then, whenever the requests of all its clients have come in full,
 * tick after tick until none is left. Its clients take turns, whoever came first.
 */
export class FakeDatabase {
  readonly #server = createServer((request, response) => this.#take(request, response));
  readonly #watching = new Set<() => void>();
  #queue: Asked[] = [];
  #isOpen = false;

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** From now on it answers. */
  open(): void {
    this.#isOpen = true;
    this.#serve();
  }

  /** Resolves when all requests of so many clients have come. */
  clients(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#clients().filter(isComplete).length < count) return;
        this.#watching.delete(look);
        resolve();
      };
      this.#watching.add(look);
      look();
    });
  }

  /** The body of a job's handler that has this database make a report, declares its reads under `name`, and fails when any is refused. */
  report(name: string, { requests, readsEach }: Report): string {
    const { port } = this.#server.address() as AddressInfo;
    return `
    const headers = { client: fire.jobId, together: '${requests}', reads: '${readsEach}' };
    const ask = () => fetch('http://127.0.0.1:${port}/', { headers, signal: ctx.signal });
    const answers = await Promise.all(Array.from({ length: ${requests} }, ask));
    const done = answers.filter(({ ok }) => ok).length;
    ctx.meter('${name}', { reads: done * ${readsEach} });
    if (done < ${requests}) throw new Error(\`${name} is overloaded: \${${requests} - done} of ${requests} requests refused\`);
    `;
  }

  #take({ headers }: IncomingMessage, response: ServerResponse): void {
    this.#queue.push({
      client: String(headers.client),
      together: Number(headers.together),
      reads: Number(headers.reads),
      answer: (status) => void response.writeHead(status).end(),
    });
    for (const look of this.#watching) look();
    this.#serve();
  }

  #clients(): Asked[][] {
    const names = [...new Set(this.#queue.map(({ client }) => client))].sort();
    return names.map((name) => this.#queue.filter(({ client }) => client === name));
  }

  #serve(): void {
    if (!this.#isOpen || !this.#clients().every(isComplete)) return;
    let left = inTurns(this.#clients());
    this.#queue = [];
    while (left.length > 0) left = tick(left);
  }
}

/** Answers what there is budget for, and refuses what makes the queue too long. What is left over. */
function tick(queue: readonly Asked[]): Asked[] {
  let reads = 0;
  const beyond = queue.findIndex((one) => {
    reads += one.reads;
    return reads > readsPerTick;
  });
  const served = beyond === -1 ? queue.length : beyond;
  for (const one of queue.slice(0, served)) one.answer(200);
  for (const one of queue.slice(served + longestQueue)) one.answer(503);
  return queue.slice(served, served + longestQueue);
}

function isComplete(requests: readonly Asked[]): boolean {
  return requests.length === requests[0]?.together;
}

function inTurns(clients: readonly (readonly Asked[])[]): Asked[] {
  const longest = Math.max(0, ...clients.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) => clients.flatMap((one) => one[turn] ?? []));
  return turns.flat();
}
