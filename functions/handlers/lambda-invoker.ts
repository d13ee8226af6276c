import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { OfferPayload } from '../contract.ts';
import { functionName } from '../domain/names.ts';
import type { Invoker } from '../domain/ports.ts';

/** Starts job functions of a stage asynchronously. */
export function lambdaInvoker(stage: string): Invoker {
  const client = new LambdaClient({ maxAttempts: 3 });
  return {
    async invoke({ jobId, key, token, attempts }) {
      const payload: OfferPayload = {
        fireledger: 'offer',
        jobId,
        run: key,
        token,
        attempt: attempts.length + 1,
      };
      await client.send(
        new InvokeCommand({
          FunctionName: functionName(stage, jobId),
          InvocationType: 'Event',
          Payload: new TextEncoder().encode(JSON.stringify(payload)),
        }),
      );
    },
  };
}
