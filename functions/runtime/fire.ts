import { coversOf } from '../domain/covers.ts';
import type { HistoryRange } from '../domain/ledger.ts';
import { runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import { localTime } from '../domain/schedule/index.ts';
import { second } from '../domain/time.ts';
import type { Context, Fire, PreviousSuccess } from '../job.ts';
import type { LoadedJob, Ports } from './ports.ts';
import type { StepVerbs } from './steps/index.ts';

/** What the author's code learns of the fire that it runs for. */
export function fireOf(run: Run, covers: readonly number[], { entry, timetable }: LoadedJob): Fire {
  const next = timetable.next(run.fireTime);
  return {
    id: runId(run),
    jobId: run.jobId,
    fireTime: new Date(run.fireTime),
    localTime: localTime(run.fireTime, entry.spec.timezone),
    timezone: entry.spec.timezone,
    trigger: run.trigger,
    attempt: 1 + (run.failures ?? 0) + run.crashes,
    covers: covers.map((fireTime) => new Date(fireTime)),
    next: next === null ? null : new Date(next),
    input: run.input,
  };
}

/** Of the attempt on record. Authors are told how often it was tried: going on is no new try. */
export function attemptNumber(run: Pick<Run, 'attempts'>): number {
  return run.attempts.at(-1)?.number ?? 1;
}

/** The fires that a made-up run stands for, oldest first. Read at its start: superseded fires are written before their stand-in is offered. */
export async function readCovers(run: Run, ledger: Ports['ledger']): Promise<number[]> {
  if (run.coversFrom === undefined) return [];
  const before: HistoryRange = { from: run.coversFrom, to: run.fireTime - 1, order: 'newest-first' };
  const older: Run[] = [];
  for await (const one of ledger.history(run.jobId, before)) older.push(one);
  return coversOf(run, older);
}

/** `deadline`: epoch milliseconds; `timeoutMs`: how long the attempt may take. */
export type AtHand = Pick<Context, 'signal' | 'log' | 'meter' | 'progress'> & {
  readonly steps: StepVerbs;
  readonly deadline: number;
  readonly timeoutMs: number;
};

/** What is left when it is time to go on in another attempt. */
const leastLeftMs = 30 * second;

/** What running code has at hand. */
export function contextOf(
  run: Run,
  { signal, deadline, timeoutMs, log, meter, progress, steps }: AtHand,
  ports: Pick<Ports, 'clock' | 'ledger' | 'dynamo' | 'secrets'>,
): Context {
  const remainingMs = () => Math.max(0, deadline - ports.clock());
  return {
    signal,
    remainingMs,
    shouldContinue: () => remainingMs() < Math.max(leastLeftMs, timeoutMs / 10),
    continueWith: (cursor) => ({ fireledger: 'continue', cursor }),
    cursor: run.cursor,
    progress,
    ...steps,
    log,
    previous: () => previousSuccess(run, ports.ledger),
    meter,
    secret: (name: string) => ports.secrets.value(name),
    get dynamo() {
      return ports.dynamo();
    },
  };
}

async function previousSuccess(run: Run, ledger: Ports['ledger']): Promise<PreviousSuccess | null> {
  const before: HistoryRange = { from: 0, to: run.fireTime - 1, order: 'newest-first' };
  for await (const { state, fireTime, result, resultTrimmed } of ledger.history(run.jobId, before))
    if (state === 'succeeded')
      return { fireTime: new Date(fireTime), result, ...(resultTrimmed && { trimmed: true }) };
  return null;
}
