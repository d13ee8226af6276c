import type { StackProps } from 'aws-cdk-lib/core';
import { type StageConfig, stageConfig } from '../functions/config.ts';
import { stackName } from './names.ts';

/** A stage as it is deployed: what functions/config.ts says of it, and its name. */
export interface Stage extends StageConfig {
  readonly name: string;
}

/** @throws ConfigError for an unknown name, or when functions/config.ts holds a value out of range */
export function stageNamed(name: string): Stage {
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
