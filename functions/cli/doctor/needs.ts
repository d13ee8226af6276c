import { unknownVpcs } from '../../catalog/unknown-vpcs.ts';
import { stageConfig } from '../../config.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { missingSecrets, secretsFile } from '../../local/secrets-file.ts';
import { counted } from '../render/text.ts';
import { type Check, foundNone } from './check.ts';

/** What jobs ask for by name, of the networks of their stage. */
export function networksCheck(stage: string, jobs: readonly ManifestJob[]): Check {
  const inside = jobs.filter(({ vpc }) => vpc !== undefined);
  const wrong: Check = {
    name: 'networks',
    verdict: 'wrong',
    says: `jobs are to be in networks that stage ${stage} lacks; a deployment refuses them`,
  };
  const problems = unknownVpcs({ name: stage, ...stageConfig(stage) }, jobs);
  return foundNone(problems, wrong, `${counted(inside.length, 'job')} in one of the stage’s`);
}

/** What jobs will ask for on this machine, before one of them asks in vain. */
export function secretsCheck(jobs: readonly ManifestJob[], file = secretsFile): Check {
  const name = 'secrets';
  const asked = jobs.flatMap(({ secrets = {} }) => Object.keys(secrets)).length;
  const wrong: Check = { name, verdict: 'wrong', says: 'jobs will ask for secrets that have no value here' };
  try {
    return foundNone(
      missingSecrets(jobs, file),
      wrong,
      `${counted(asked, 'secret')} of jobs, each with a value`,
    );
  } catch (error) {
    return { name, verdict: 'wrong', says: error instanceof Error ? error.message : String(error) };
  }
}
