import { alarmPayload, schedulerContext } from '../contract.ts';
import { toIso } from '../domain/time.ts';
import type { Ring } from './alarm-clock.ts';
import { jobFunction, reconcilerFunction, type Target } from './cloud-functions.ts';
import type { Tell } from './events.ts';
import type { LambdaService } from './lambda/contract.ts';

type Invoke = Pick<LambdaService, 'invoke'>;

/** What EventBridge does when an alarm rings. */
export async function deliver(
  lambda: Invoke,
  { target, scheduledTime }: Ring<Target>,
  tell: Tell,
): Promise<void> {
  const [name, payload] =
    target === 'sweep'
      ? [reconcilerFunction, sweepPayload]
      : [jobFunction(target.jobId), payloadOf(target.jobId, scheduledTime)];
  try {
    await lambda.invoke(name, payload, 'async');
  } catch (error) {
    tell({ kind: 'notice', at: Date.now(), text: `an alarm could not be delivered: ${String(error)}` });
  }
}

/** Resolves when a sweep has ended, well or not. */
export async function sweepOnce(lambda: Invoke): Promise<void> {
  await consumeControl(lambda, sweepPayload).catch(() => undefined);
}

/** What SQS does with a batch of the control queue. Rejects when it wasn't consumed. */
export async function consumeControl(lambda: Invoke, event: unknown): Promise<unknown> {
  const { result, error } = await lambda.invoke(reconcilerFunction, event, 'sync');
  if (error) throw new Error(`${error.errorType}: ${error.errorMessage}`);
  return result;
}

const sweepPayload = { fireledger: 'sweep' };

function payloadOf(jobId: string, scheduledTime: number): unknown {
  const filled = JSON.stringify(alarmPayload(jobId))
    .replace(schedulerContext.scheduledTime, toIso(scheduledTime))
    .replace(schedulerContext.attemptNumber, '1');
  return JSON.parse(filled);
}
