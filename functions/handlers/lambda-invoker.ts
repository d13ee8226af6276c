import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { offerPayload } from '../contract.ts';
import { functionName } from '../domain/names.ts';
import type { Invoker } from '../domain/ports.ts';
import { impatient } from './impatient.ts';

/** Starts job functions of a stage asynchronously. */
export function lambdaInvoker(stage: string): Invoker {
  const client = new LambdaClient({ maxAttempts: 3, requestHandler: impatient });
  return {
    async invoke(offered) {
      const payload = offerPayload(offered);
      await client.send(
        new InvokeCommand({
          FunctionName: functionName(stage, offered.jobId),
          InvocationType: 'Event',
          Payload: new TextEncoder().encode(JSON.stringify(payload)),
        }),
      );
    },
  };
}
