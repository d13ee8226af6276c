import type { StageConfig } from '../config.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { suggestion } from './nearest.ts';

/** A sentence for each job that names a network which its stage doesn't have. */
export function unknownVpcs(
  { name, vpcs = {} }: Pick<StageConfig, 'vpcs'> & { readonly name: string },
  jobs: readonly ManifestJob[],
): string[] {
  const known = Object.keys(vpcs);
  return jobs.flatMap(({ id, vpc }) => {
    if (vpc === undefined || known.includes(vpc)) return [];
    const remedy =
      known.length === 0
        ? "it has none; give it vpcs in functions/config.ts, or leave it out of the job's stages"
        : suggestion(vpc, known, 'its vpcs');
    return [`${id}: vpc: ${JSON.stringify(vpc)} is no vpc of stage ${name}; ${remedy}`];
  });
}
