import { readFileSync } from 'node:fs';
import { everyMinute } from '../system.ts';

/** A line that a job's body appends to the file of effects: when it starts, five times a second, and when it is done. */
interface Effect {
  readonly what: 'start' | 'alive' | 'end';
  readonly run: string;
  readonly attempt: number;
  readonly pid: number;
  readonly at: number;
}

/** One execution of a job's body, as its effects tell it. */
export interface Body {
  readonly run: string;
  readonly attempt: number;
  readonly pid: number;
  readonly startedAt: number;
  /** Its last sign of life. */
  readonly lastAt: number;
  readonly isDone: boolean;
}

/** The text of a job that is due every minute, takes its time, and leaves its effects in a file. */
export function tellingJob(file: string, seconds: number, options: string): string {
  const body = `
    const { appendFileSync } = await import('node:fs');
    const of = { run: fire.id, attempt: fire.attempt, pid: process.pid };
    const tell = (what: string) =>
      appendFileSync(${JSON.stringify(file)}, JSON.stringify({ what, ...of, at: Date.now() }) + '\\n');
    tell('start');
    const doneAt = Date.now() + ${seconds * 1_000};
    while (Date.now() < doneAt) {
      await pause(200, undefined, { signal: ctx.signal });
      tell('alive');
    }
    tell('end');`;
  return everyMinute(body, `${options} grace: '2 minutes', timeout: '50 seconds',`);
}

/** By the start of each. Two processes that ran one attempt are two bodies. */
export function bodiesOf(file: string): Body[] {
  const bodies = new Map<string, Body>();
  for (const { what, run, attempt, pid, at } of effectsIn(file)) {
    const key = `${run} ${attempt} ${pid}`;
    const body = bodies.get(key) ?? { run, attempt, pid, startedAt: at, lastAt: at, isDone: false };
    bodies.set(key, { ...body, lastAt: at, isDone: what === 'end' });
  }
  return [...bodies.values()].sort((a, b) => a.startedAt - b.startedAt);
}

function effectsIn(file: string): Effect[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Effect);
}

/** Those that were alive when another one of the same group was, by the group. */
export function aliveAtOnce(bodies: readonly Body[], groupOf: (body: Body) => string): [Body, Body][] {
  const last = new Map<string, Body>();
  return bodies.flatMap((body) => {
    const before = last.get(groupOf(body));
    if (before === undefined || before.lastAt < body.lastAt) last.set(groupOf(body), body);
    return before !== undefined && body.startedAt < before.lastAt ? [[before, body] as [Body, Body]] : [];
  });
}
