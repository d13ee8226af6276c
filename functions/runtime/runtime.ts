import { runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import type { Entry } from '../domain/start.ts';
import type { Attempted } from './attempt.ts';
import { attempt } from './attempt.ts';
import { parseEvent } from './events.ts';
import { attemptNumber } from './fire.ts';
import { shortToken, withFields, withoutSecrets } from './log.ts';
import type { Invocation, LoadedJob, Ports } from './ports.ts';
import type { Start } from './start.ts';
import { startDelivery, startOffer } from './start.ts';

/** What an invocation came to. `lost`: its attempt ended after the fence had moved. `run`: the id of the run it met. */
export interface Handled {
  readonly outcome: Exclude<Start['kind'], 'started'> | Attempted['kind'];
  readonly run?: string;
}

/**
 * One invocation of a job's function: judge the delivery → start → run the code → finish. Remaining time is read first,
 * so that a pause before the claim makes the lease longer, never shorter than the process lives.
 *
 * @throws ForeignPayload for an event that neither an alarm nor the reconciler sent
 * @throws the store's rejection when a start or a finish could not be written
 */
export async function handleEvent(
  event: unknown,
  invocation: Invocation,
  job: LoadedJob,
  outer: Ports,
): Promise<Handled> {
  const remainingMs = invocation.remainingMs();
  const entry: Entry = {
    token: outer.drawToken(),
    requestId: invocation.requestId,
    pid: outer.pid,
    now: outer.clock(),
    remainingMs,
  };
  const fields = { jobId: job.entry.id, requestId: entry.requestId, token: shortToken(entry.token) };
  const ports = { ...outer, log: withFields(withoutSecrets(outer.log, outer.secrets), fields) };
  const { mustExit, ...handled } = await handle(event, { entry, job, ports });
  if (mustExit) ports.exit(1);
  return handled;
}

interface Scope {
  readonly entry: Entry;
  readonly job: LoadedJob;
  readonly ports: Ports;
}

async function handle(event: unknown, scope: Scope): Promise<Handled & { mustExit: boolean }> {
  const { log, metrics } = scope.ports;
  try {
    const start = await begin(event, scope);
    if (start.kind !== 'started') {
      const { kind: outcome, ...met } = start;
      return { outcome, ...met, mustExit: false };
    }
    measureLateness(start.run, scope);
    const { kind: outcome, mustExit } = await attempt(start.run, scope);
    return { outcome, run: runId(start.run), mustExit };
  } catch (error) {
    log.error('the invocation failed outside of job code', { error });
    throw error;
  } finally {
    metrics.flush();
  }
}

function begin(event: unknown, scope: Scope): Promise<Start> {
  const payload = parseEvent(event, scope.job.entry.id);
  return payload.fireledger === 'alarm' ? startDelivery(payload, scope) : startOffer(payload, scope);
}

function measureLateness(run: Run, { entry, ports }: Scope): void {
  if (run.trigger === 'schedule' && attemptNumber(run) === 1)
    ports.metrics.lateness(Math.max(0, entry.now - run.fireTime));
}
