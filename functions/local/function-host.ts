import type { Bundles, Catalog } from '../catalog/index.ts';
import type { Reconciled } from '../reconciler/handle.ts';
import type { Handled } from '../runtime/runtime.ts';
import { jobFunction, lambdaFunctions } from './cloud-functions.ts';
import type { CloudEvent, Tell } from './events.ts';
import { createLambdaService, type InvocationEvent, type LambdaService } from './lambda/service.ts';
import type { Queue } from './queue.ts';

export interface HostOptions {
  readonly catalog: Catalog;
  readonly bundles: Bundles;
  readonly endpointUrl: string;
  readonly fixtureOrigin: string | null;
  /** Gets the failure records of jobs. */
  readonly queue: Queue;
  readonly tell: Tell;
}

export interface FunctionHost {
  readonly lambda: LambdaService;
  /** The job of a function, undefined for the reconciler's. */
  jobOf(functionName: string): string | undefined;
}

/** The functions of the catalog and the reconciler on a Lambda of this machine, and what they do told as events. */
export function hostFunctions({ catalog, queue, tell, ...of }: HostOptions): FunctionHost {
  const jobIds = new Map(catalog.manifest.jobs.map((job) => [jobFunction(job.id), job.id]));
  const lambda = createLambdaService({
    functions: lambdaFunctions(catalog, of.bundles, of),
    endpointUrl: of.endpointUrl,
    onInvocation: teller((name) => jobIds.get(name), tell),
    onLog: (name, requestId, _stream, line) =>
      tell({ kind: 'log', at: Date.now(), requestId, line, ...jobField(jobIds.get(name)) }),
    onFailure: (record, name) => {
      if (jobIds.has(name)) queue.send(JSON.stringify(record));
    },
  });
  return { lambda, jobOf: (name) => jobIds.get(name) };
}

/** Tells how invocations ended. */
function teller(jobOf: FunctionHost['jobOf'], tell: Tell): (event: InvocationEvent) => void {
  const startedAt = new Map<string, number>();
  return (event) => {
    const at = Date.now();
    if (event.kind === 'started') return void startedAt.set(event.requestId, at);
    const since = startedAt.get(event.requestId) ?? at;
    startedAt.delete(event.requestId);
    const ended = endedEvent(event, jobOf(event.functionName), { at, startedAt: since });
    if (ended !== null) tell(ended);
  };
}

function endedEvent(
  { requestId, error, result }: Extract<InvocationEvent, { kind: 'ended' }>,
  jobId: string | undefined,
  { at, startedAt }: { at: number; startedAt: number },
): CloudEvent | null {
  if (error) {
    const text = `${error.errorType}: ${error.errorMessage}`;
    return { kind: 'died', at, requestId, error: text, ...jobField(jobId) };
  }
  if (jobId !== undefined)
    return { kind: 'handled', at, requestId, startedAt, jobId, handled: result as Handled };
  const { sweep } = result as Reconciled;
  return sweep && { kind: 'swept', at, counts: sweep };
}

function jobField(jobId: string | undefined): { jobId?: string } {
  return jobId === undefined ? {} : { jobId };
}
