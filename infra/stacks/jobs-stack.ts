import { CfnWaitConditionHandle, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import { JobFunction } from '../constructs/job-function.ts';
import { type Stage, stackProps } from '../stage.ts';

export interface JobsStackProps {
  readonly stage: Stage;
  /** Its number, from 1. */
  readonly stack: number;
  readonly jobs: readonly JobEntry[];
  /** By job id: a folder with index.js. */
  readonly bundles: Readonly<Record<string, { readonly dir: string }>>;
}

/** Some of a stage's jobs: those whose first choice it is. */
export class JobsStack extends Stack {
  constructor(scope: Construct, { stage, stack, jobs, bundles }: JobsStackProps) {
    super(
      scope,
      `Jobs${stack}`,
      stackProps(stage, `jobs-${stack}`, "functions and alarms of the stage's jobs"),
    );
    for (const job of jobs) {
      const bundle = bundles[job.id];
      if (bundle === undefined) throw new Error(`${job.id} was not bundled`);
      new JobFunction(this, { stage, job, stack, bundleDir: bundle.dir });
    }
    // CloudFormation refuses a stack of nothing, and one that was left out would keep the jobs that it had. This makes nothing.
    if (jobs.length === 0) new CfnWaitConditionHandle(this, 'NoJobs');
  }
}
