import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ManifestJob } from '../domain/manifest.ts';
import { secretPlace } from '../domain/secrets.ts';
import { localStage } from './cloud-functions.ts';
import type { LocalSecrets } from './endpoint/secrets.ts';

/** Git ignores it. */
export const secretsFile = path.resolve('secrets.local.json');

/**
 * The secrets of this machine: one JSON object of texts by name, as jobs name them with `{stage}` filled in. Read anew for each
 * request, so that an edit needs no new start.
 */
export function secretsIn(file: string): LocalSecrets {
  return {
    valueOf(name) {
      const all = read(file);
      const value = Object.hasOwn(all, name) ? all[name] : undefined;
      if (value === undefined || typeof value === 'string') return value;
      throw new Error(
        `${file}: ${JSON.stringify(name)} is no text; write JSON in a text as JSON.stringify gives it`,
      );
    },
    remedyFor: (name) => `Write it to ${file}: { ${JSON.stringify(name)}: "its value" }`,
  };
}

/** A sentence for each secret that jobs will ask for in vain. @throws when the file can't be read */
export function missingSecrets(jobs: readonly ManifestJob[], file: string): string[] {
  const known = secretsIn(file);
  return jobs.flatMap(({ id, secrets = {} }) =>
    Object.entries(secrets).flatMap(([name, kept]) => {
      const place = secretPlace(kept, localStage);
      if (known.valueOf(place.name) !== undefined) return [];
      return [
        `${id}: secrets.${name}: "${place.name}" has no value on this machine. ${known.remedyFor(place.name)}`,
      ];
    }),
  );
}

/** An error of JSON's would quote what stands there. */
function read(file: string): Readonly<Record<string, unknown>> {
  const text = textOf(file);
  if (text === null) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    throw new Error(`${file} is no JSON; write one object of texts: { "billing/api-key": "its value" }`);
  }
  throw new Error(`${file} is no JSON object; write one of texts: { "billing/api-key": "its value" }`);
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
