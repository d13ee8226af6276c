import type { Log, LogFields } from '../domain/ports.ts';
import type { EventLoop } from './event-loop.ts';
import type { Trace } from './trace.ts';

/** What the code under simulation says goes into the trace, for readers. */
export class SimulatedLog {
  readonly #loop: EventLoop;
  readonly #trace: Trace;

  constructor(loop: EventLoop, trace: Trace) {
    this.#loop = loop;
    this.#trace = trace;
  }

  of(actor: string): Log {
    const say =
      (level: string) =>
      (message: string, fields: LogFields = {}) =>
        this.#trace.aside(() => ({
          at: this.#loop.now,
          actor,
          what: `${level}: ${message}${detail(fields)}`,
          ...runOf(fields),
        }));
    return { info: say('says'), warn: say('warns'), error: say('reports') };
  }
}

function runOf({ run, jobId, fireTime }: LogFields): { run?: string } {
  if (typeof run === 'string') return { run: run.includes('#') ? run : `${String(jobId)}#${run}` };
  return typeof fireTime === 'string' ? { run: `${String(jobId)}#${fireTime}` } : {};
}

const shown = ['error', 'reason', 'state', 'why', 'tries', 'outcome'];

function detail(fields: LogFields): string {
  const parts = shown.flatMap((name) =>
    fields[name] === undefined ? [] : [`${name} ${textOf(fields[name])}`],
  );
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function textOf(value: unknown): string {
  if (value instanceof Error) return value.message;
  if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message);
  return String(value);
}
