import { type SecretPlace, secretPlace } from '../domain/secrets.ts';
import { minute } from '../domain/time.ts';
import { HiddenValues } from './hidden-values.ts';
import type { Ports, Secrets } from './ports.ts';

/** A rotated secret is noticed after so long. */
const keptMs = 5 * minute;

/** Reads a secret by its name, as its service keeps it. Undefined: it is no text. */
export type ReadSecret = (name: string) => Promise<string | undefined>;

export interface SecretsOptions {
  /** As the job's option `secrets` says. */
  readonly declared: Readonly<Record<string, string>> | undefined;
  readonly stage: string;
  /** Only of the services that the job has secrets in. */
  readonly readers: Readonly<Partial<Record<SecretPlace['service'], ReadSecret>>>;
  readonly clock: Ports['clock'];
}

const services = {
  'secrets-manager': { title: 'Secrets Manager', action: 'secretsmanager:GetSecretValue' },
  'parameter-store': { title: 'Parameter Store', action: 'ssm:GetParameter' },
} as const;

/** What the services say when there is none of that name. */
const absent = ['ResourceNotFoundException', 'ParameterNotFound'];

/** A secret that can't be had. Its message never has anything of the value. */
export class SecretError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SecretError';
  }
}

/**
 * The secrets of a job, each read when it is first asked for, and again after 5 minutes. Those that are kept together, and
 * those who ask at the same time, share a request.
 */
export function openSecrets({ declared = {}, stage, readers, clock }: SecretsOptions): Secrets {
  const hidden = new HiddenValues();
  const kept = new Map<string, { readonly text: Promise<string>; readonly until: number }>();

  const textOf = (place: SecretPlace): Promise<string> => {
    const { service, name } = place;
    const known = kept.get(name);
    if (known !== undefined && clock() < known.until) return known.text;
    const text = read(place, { stage, reader: readers[service] });
    kept.set(name, { text, until: clock() + keptMs });
    text.catch(() => kept.delete(name));
    return text;
  };

  return {
    async value(name) {
      const declaredAs = Object.hasOwn(declared, name) ? declared[name] : undefined;
      const call = `ctx.secret(${JSON.stringify(name)})`;
      if (declaredAs === undefined) throw undeclared(call, name, Object.keys(declared));
      const place = secretPlace(declaredAs, stage);
      const value = await withCall(call, async () => partOf(await textOf(place), place, stage));
      hidden.add(name, value);
      return value;
    },
    hidden: (of) => hidden.hide(of),
  };
}

function undeclared(call: string, name: string, declared: readonly string[]): SecretError {
  const has = declared.length === 0 ? 'none' : declared.join(', ');
  return new SecretError(
    `${call}: its job declares no such secret (it has ${has}); write secrets: { ${name}: 'the name under which it is kept' }`,
  );
}

async function withCall(call: string, value: () => Promise<string>): Promise<string> {
  try {
    return await value();
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    throw new SecretError(`${call}: ${error.message}`, { cause: error.cause });
  }
}

async function read(
  place: SecretPlace,
  { stage, reader }: { stage: string; reader: ReadSecret | undefined },
): Promise<string> {
  const { title, action } = services[place.service];
  const what = `the secret "${place.name}" of ${title}, in stage ${stage},`;
  if (reader === undefined) throw new SecretError(`${what} has no client in this bundle; deploy it again`);
  let text: string | undefined;
  try {
    text = await reader(place.name);
  } catch (cause) {
    const [name, message] = cause instanceof Error ? [cause.name, cause.message] : ['', String(cause)];
    const rights = `Its deploy grants ${action} on that name; under a KMS key of your own the job's permissions need kms:Decrypt as well`;
    const hint = absent.includes(name) ? '' : `. ${rights}`;
    throw new SecretError(`${what} can't be read: ${name}: ${message}${hint}`, { cause });
  }
  if (text === undefined) throw new SecretError(`${what} is no text; only texts can be read`);
  return text;
}

/** Says nothing of what the text is: an error of JSON's would quote it. */
function partOf(text: string, { service, name, key }: SecretPlace, stage: string): string {
  if (key === undefined) return text;
  const part = fieldOf(text, key);
  if (typeof part === 'string') return part;
  throw new SecretError(
    `the secret "${name}" of ${services[service].title}, in stage ${stage}, is no JSON object with a text under "${key}"`,
  );
}

function fieldOf(text: string, key: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && Object.hasOwn(parsed, key)
      ? Reflect.get(parsed, key)
      : undefined;
  } catch {
    return undefined;
  }
}
