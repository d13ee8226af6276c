import { InvokeCommand, LambdaClient, ResourceNotFoundException } from '@aws-sdk/client-lambda';
import { type OfferPayload, offerPayload } from '../contract.ts';
import { functionName } from '../domain/names.ts';
import { stacksOf } from '../domain/placement.ts';
import type { Invoker } from '../domain/ports.ts';
import { impatient } from './impatient.ts';

/** Where a job may be when up to three stacks were added at once. A job that isn't deployed yet shall not cost a request each. */
const mostPlaces = 4;

/**
 * Starts job functions of a stage asynchronously. While a deploy moves a job, its function isn't where it is to be yet, and
 * then it is where it was: in the next stack of its order.
 */
export function lambdaInvoker(stage: string, jobStacks: number): Invoker {
  const client = new LambdaClient({ maxAttempts: 3, requestHandler: impatient });
  return {
    async invoke(offered) {
      const payload = offerPayload(offered);
      const places = stacksOf(offered.jobId, jobStacks)
        .slice(0, mostPlaces)
        .map((stack) => functionName(stage, offered.jobId, stack));
      for (const name of places) if (await start(client, name, payload)) return;
      throw new Error(`${places[0]} is not there; if no deploy is under way, deploy the stacks of the jobs`);
    },
  };
}

/** False: there is no such function. */
async function start(client: LambdaClient, name: string, payload: OfferPayload): Promise<boolean> {
  try {
    await client.send(
      new InvokeCommand({
        FunctionName: name,
        InvocationType: 'Event',
        Payload: new TextEncoder().encode(JSON.stringify(payload)),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}
