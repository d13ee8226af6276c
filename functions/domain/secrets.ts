/** Where a secret is kept. */
export interface SecretPlace {
  readonly service: 'secrets-manager' | 'parameter-store';
  /** As its service knows it. */
  readonly name: string;
  /** Of a secret that is a JSON object: which of its texts is meant. */
  readonly key?: string;
}

/**
 * The place that a job's `secrets` names, in a stage: `billing/api-key` is in Secrets Manager, `/billing/api-key` in Parameter
 * Store; `{stage}` is the stage, and what follows a `#` the key in a JSON object.
 */
export function secretPlace(text: string, stage: string): SecretPlace {
  const [name = '', key] = text.replaceAll('{stage}', stage).split('#');
  const service = name.startsWith('/') ? 'parameter-store' : 'secrets-manager';
  return { service, name, ...(key !== undefined && { key }) };
}
