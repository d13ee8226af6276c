import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { ReadSecret } from '../runtime/secrets.ts';
import { impatient } from './impatient.ts';

/** Reads from Secrets Manager. Only in the bundles of jobs that have secrets there. */
export function secretsManager(): ReadSecret {
  const client = new SecretsManagerClient({ maxAttempts: 3, requestHandler: impatient });
  return async (name) => (await client.send(new GetSecretValueCommand({ SecretId: name }))).SecretString;
}
