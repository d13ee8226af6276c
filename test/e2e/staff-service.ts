import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A process that was killed while it asked. */
export interface Strike {
  readonly jobId: string;
  /** The run's id. */
  readonly run: string;
  readonly pid: number;
  /** So many salaries were asked for in this part of the run, this one included. */
  readonly asked: number;
}

export interface StaffOptions {
  /** The employees of each job. */
  readonly staff: Readonly<Record<string, readonly string[]>>;
  /** Parts 1 to `kills` of each job's run are killed, each once. */
  readonly kills: number;
  /** For so many salaries each part asks at least. */
  readonly salaries: number;
  readonly random: () => number;
}

/** How much later than its fatal question a process may be killed: others of its payments are under way meanwhile. */
const latestKillMs = 100;

/**
 * The service, on loopback, that payrolls ask whom they pay, and each salary. Only the first fire of a job has anybody to pay.
 * It kills who asks it: of a salary that was drawn for this part of the run there is no answer, but within moments a SIGKILL.
 * So the attempt can't have ended before, however fast or slow the machine is.
 */
export class StaffService {
  readonly #server = createServer((request, response) => void this.#take(request, response));
  readonly #options: StaffOptions;
  readonly #fatal: ReadonlyMap<string, number>;
  readonly #asked = new Map<string, number>();
  readonly #firstRuns = new Map<string, string>();
  readonly strikes: Strike[] = [];

  constructor(options: StaffOptions) {
    this.#options = options;
    this.#fatal = drawnMoments(options);
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /**
   * The beginning of a handler's body: `employees`, whom to pay, and `salaryOf(employee)`. `part`: an expression, which part of
   * its run this is.
   */
  client(part: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `
    const headers = { job: fire.jobId, run: fire.id, part: String(${part}), pid: String(process.pid) };
    const ask = async (what) => (await fetch('http://127.0.0.1:${port}/' + what, { headers, signal: ctx.signal })).json();
    const employees = await ask('');
    const salaryOf = (employee) => ask(employee);`;
  }

  async #take({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const [jobId, run, pid] = [String(headers.job), String(headers.run), Number(headers.pid)];
    if (url === '/') return answer(response, this.#employeesOf(jobId, run));
    const part = `${jobId} ${headers.part}`;
    const asked = 1 + (this.#asked.get(part) ?? 0);
    this.#asked.set(part, asked);
    if (asked !== this.#fatal.get(part)) return answer(response, salaryOf(url.slice(1)));
    await pause(latestKillMs * this.#options.random());
    process.kill(pid, 'SIGKILL');
    this.strikes.push({ jobId, run, pid, asked });
  }

  #employeesOf(jobId: string, run: string): readonly string[] {
    if (!this.#firstRuns.has(jobId)) this.#firstRuns.set(jobId, run);
    return this.#firstRuns.get(jobId) === run ? (this.#options.staff[jobId] ?? []) : [];
  }
}

export function employeesOf(office: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${office}-${index}`);
}

/** `oslo-17` has 1,017. */
export function salaryOf(employee: string): number {
  return 1_000 + Number(employee.split('-').at(-1));
}

function drawnMoments({ staff, kills, salaries, random }: StaffOptions): Map<string, number> {
  const parts = Array.from({ length: kills }, (_, index) => 1 + index);
  const moments = Object.keys(staff).flatMap((jobId) =>
    parts.map((part) => [`${jobId} ${part}`, 1 + Math.floor(salaries * random())] as const),
  );
  return new Map(moments);
}

function answer(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
}
