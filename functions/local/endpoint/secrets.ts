import { type Answer, errorAnswer, json } from './answer.ts';

const JSON_1_1 = 'application/x-amz-json-1.1';
const PREFIX = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:';

/** Secrets Manager GetSecretValue, by name or by the ARN that an earlier answer gave. */
export function getSecretValue(secrets: Readonly<Record<string, string>>, body: string): Answer {
  const { SecretId } = JSON.parse(body) as { SecretId: string };
  const name = SecretId.startsWith(PREFIX) ? SecretId.slice(PREFIX.length) : SecretId;
  const SecretString = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (SecretString === undefined) {
    const message = `No secret ${name} on this machine. Give it to the stage 'local'.`;
    return errorAnswer(400, 'ResourceNotFoundException', message);
  }
  return json({ ARN: PREFIX + name, Name: name, SecretString, VersionStages: ['AWSCURRENT'] }, JSON_1_1);
}
