import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { ReadSecret } from '../runtime/secrets.ts';
import { impatient } from './impatient.ts';

/** Reads from Parameter Store. Only in the bundles of jobs that have secrets there. */
export function parameterStore(): ReadSecret {
  const client = new SSMClient({ maxAttempts: 3, requestHandler: impatient });
  return async (name) => {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
    return Parameter?.Value;
  };
}
