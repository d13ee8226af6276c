import type { App } from 'aws-cdk-lib/core';
import type { Vpc } from '../../functions/config.ts';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import { JobsStack } from '../../infra/stacks/jobs-stack.ts';
import { LedgerStack } from '../../infra/stacks/ledger-stack.ts';
import { NetworkStack } from '../../infra/stacks/network-stack.ts';
import { type Stage, stageNamed } from '../../infra/stage.ts';
import { manifestJob } from '../support/jobs.ts';
import { emptyBundle } from './synthesised.ts';

export const main: Vpc = {
  vpcId: 'vpc-0123456789abcdef0',
  subnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
  securityGroupIds: ['sg-0123456789abcdef0'],
  routeTableIds: ['rtb-0123456789abcdef0'],
  endpoints: 'create',
};

export function stageWith(vpcs: Readonly<Record<string, Vpc>>, name = 'dev'): Stage {
  return { ...stageNamed(name), jobStacks: 1, vpcs };
}

/** In a network, with a secret of each kind, and with rights of its own. */
export const everything: JobEntry = manifestJob({
  vpc: 'main',
  secrets: {
    API_KEY: 'billing/{stage}/api-key',
    USER: 'billing/database#user',
    PASSWORD: 'billing/database#password',
    TOKEN: '/billing/{stage}/token',
  },
  permissions: [
    { actions: ['dynamodb:Get*'], resources: ['arn:aws:dynamodb:*:*:table/payments-{stage}'] },
    { actions: ['ec2:DescribeInstances'], resources: ['*'] },
  ],
});

/** A stage with these jobs, of code that does nothing. */
export function addStage(app: App, stage: Stage, jobs: readonly JobEntry[]): void {
  const dir = emptyBundle(app.outdir);
  new LedgerStack(app, { stage, reconcilerDir: dir });
  new NetworkStack(app, { stage, jobs });
  const bundles = Object.fromEntries(jobs.map(({ id }) => [id, { dir }]));
  new JobsStack(app, { stage, stack: 1, jobs, bundles });
}
