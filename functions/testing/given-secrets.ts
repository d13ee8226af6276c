import type { ManifestJob } from '../domain/manifest.ts';
import type { Clock } from '../domain/ports.ts';
import type { Secrets } from '../runtime/ports.ts';
import { openSecrets } from '../runtime/secrets.ts';

/** The job's secrets as a test gives them. @throws for one that the job doesn't declare */
export function givenSecrets(
  { secrets: declared = {} }: ManifestJob,
  given: Readonly<Record<string, string>> = {},
  clock: Clock,
): Secrets {
  const names = Object.keys(declared);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `secrets: the job declares no ${unknown.join(', ')}; its own are ${names.join(', ') || 'none'}`,
    );
  const read = async (name: string) => {
    const value = given[name];
    if (value === undefined) throw new Error(`this test gives it no value; add secrets: { ${name}: '…' }`);
    return value;
  };
  // Each under its name in the code: where it is kept plays no part.
  return openSecrets({
    declared: Object.fromEntries(names.map((name) => [name, name])),
    stage: 'test',
    readers: { 'secrets-manager': read },
    clock,
  });
}
