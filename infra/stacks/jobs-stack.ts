import { Annotations, CfnResource, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { ConfigError } from '../../functions/config.ts';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import { JobFunction } from '../constructs/job-function.ts';
import { type Stage, stackProps } from '../stage.ts';

/** CloudFormation's limit. */
const mostResources = 500;
const nearlyFull = 0.8 * mostResources;

export interface JobsStackProps {
  readonly stage: Stage;
  readonly jobs: readonly JobEntry[];
  /** By job id: a folder with index.js. */
  readonly bundles: Readonly<Record<string, { readonly dir: string }>>;
}

/**
 * The jobs of a stage.
 *
 * @throws ConfigError when CloudFormation would refuse so many
 */
export class JobsStack extends Stack {
  constructor(scope: Construct, { stage, jobs, bundles }: JobsStackProps) {
    super(scope, 'Jobs', stackProps(stage, 'jobs', "the jobs' functions and alarms"));
    for (const job of jobs) {
      const bundle = bundles[job.id];
      if (bundle === undefined) throw new Error(`${job.id} was not bundled`);
      new JobFunction(this, { stage, job, bundleDir: bundle.dir });
    }
    this.checkRoom(jobs.length);
  }

  private checkRoom(jobs: number): void {
    const count = this.node.findAll().filter(CfnResource.isCfnResource).length;
    if (count <= nearlyFull) return;
    const finding =
      `${this.stackName} has ${count} resources for ${jobs} jobs, and CloudFormation allows ${mostResources} in a stack. ` +
      "Give jobs that this stage can do without a 'stages' list, or merge some that are due at the same times.";
    if (count > mostResources) throw new ConfigError(finding);
    Annotations.of(this).addWarningV2('fireledger:nearly-full', finding);
  }
}
