import type { StackProps } from 'aws-cdk-lib/core';
import { unknownVpcs } from '../functions/catalog/unknown-vpcs.ts';
import {
  ConfigError,
  deployedStages,
  localStage,
  type StageConfig,
  stageConfig,
  type Vpc,
} from '../functions/config.ts';
import type { ManifestJob } from '../functions/domain/manifest.ts';
import { stackName } from './names.ts';

/** A stage as it is deployed: what functions/config.ts says of it, and its name. */
export interface Stage extends StageConfig {
  readonly name: string;
}

/** @throws ConfigError for an unknown name, for this machine's, or when functions/config.ts holds a value out of range */
export function stageNamed(name: string): Stage {
  if (name === localStage)
    throw new ConfigError(
      `the stage "${localStage}" is this machine, and npm start runs it; those that can be deployed are ${deployedStages.join(', ')}`,
    );
  return { name, ...stageConfig(name) };
}

/** What the stacks of a stage have in common. `holds` ends the sentence "fireledger, stage dev: …". */
export function stackProps(stage: Stage, part: Parameters<typeof stackName>[1], holds: string): StackProps {
  return {
    stackName: stackName(stage.name, part),
    description: `fireledger, stage ${stage.name}: ${holds}`,
    terminationProtection: stage.deletionProtection,
    ...(stage.region === undefined ? {} : { env: { region: stage.region } }),
  };
}

/** The network that a job is to be in; `refuseUnknownVpcs` knows that there is one of that name. */
export function vpcOf({ vpcs }: Stage, { vpc }: ManifestJob): Vpc | undefined {
  return vpc === undefined ? undefined : vpcs?.[vpc];
}

/** @throws ConfigError when jobs name networks that the stage doesn't have */
export function refuseUnknownVpcs(stage: Stage, jobs: readonly ManifestJob[]): void {
  const problems = unknownVpcs(stage, jobs);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
}
