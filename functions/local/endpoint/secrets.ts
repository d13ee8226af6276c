import { type Answer, errorAnswer, json } from './answer.ts';

const JSON_1_1 = 'application/x-amz-json-1.1';
const SECRET_PREFIX = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:';
const PARAMETER_PREFIX = 'arn:aws:ssm:us-east-1:000000000000:parameter';

/** What the secrets of this machine are. */
export interface LocalSecrets {
  /** The value under a name of either service; undefined when there is none. @throws when they can't be read */
  valueOf(name: string): string | undefined;
  /** For people: what they are to write so that there is one. */
  remedyFor(name: string): string;
}

/** Secrets Manager GetSecretValue, by name or by the ARN that an earlier answer gave. */
export function getSecretValue(secrets: LocalSecrets, body: string): Answer {
  const { SecretId } = JSON.parse(body) as { SecretId: string };
  const name = SecretId.startsWith(SECRET_PREFIX) ? SecretId.slice(SECRET_PREFIX.length) : SecretId;
  const SecretString = secrets.valueOf(name);
  if (SecretString === undefined) {
    const message = `No secret ${name} on this machine. ${secrets.remedyFor(name)}`;
    return errorAnswer(400, 'ResourceNotFoundException', message);
  }
  return json(
    { ARN: SECRET_PREFIX + name, Name: name, SecretString, VersionStages: ['AWSCURRENT'] },
    JSON_1_1,
  );
}

/** Parameter Store GetParameter. */
export function getParameter(secrets: LocalSecrets, body: string): Answer {
  const { Name } = JSON.parse(body) as { Name: string };
  const Value = secrets.valueOf(Name);
  if (Value === undefined) {
    const message = `No parameter ${Name} on this machine. ${secrets.remedyFor(Name)}`;
    return errorAnswer(400, 'ParameterNotFound', message);
  }
  const ARN = PARAMETER_PREFIX + Name;
  return json({ Parameter: { ARN, Name, Value, Type: 'SecureString', Version: 1 } }, JSON_1_1);
}
