import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { secretPlace } from '../../functions/domain/secrets.ts';
import { type EndpointService, VpcEndpoints } from '../constructs/vpc-endpoints.ts';
import { type Stage, stackProps } from '../stage.ts';

/** What the jobs in a stage's networks reach AWS by, where a network says `endpoints: 'create'`. */
export class NetworkStack extends Stack {
  constructor(scope: Construct, { stage, jobs }: { stage: Stage; jobs: readonly ManifestJob[] }) {
    super(scope, 'Network', stackProps(stage, 'network', 'ways from networks to AWS'));
    for (const [name, vpc] of Object.entries(stage.vpcs ?? {})) {
      if (vpc.endpoints !== 'create') continue;
      const inside = jobs.filter((job) => job.vpc === name);
      new VpcEndpoints(this, name, { vpc, services: ['sqs', ...secretServices(inside, stage)] });
    }
  }
}

/** Whether the stage has a network that wants endpoints. */
export function wantsEndpoints({ vpcs = {} }: Stage): boolean {
  return Object.values(vpcs).some(({ endpoints }) => endpoints === 'create');
}

/** Those that keep secrets of the jobs. */
function secretServices(jobs: readonly ManifestJob[], { name }: Stage): EndpointService[] {
  const kept = jobs.flatMap(({ secrets = {} }) => Object.values(secrets));
  const used = new Set(kept.map((place) => secretPlace(place, name).service));
  return [
    ...(used.has('secrets-manager') ? (['secretsmanager'] as const) : []),
    ...(used.has('parameter-store') ? (['ssm'] as const) : []),
  ];
}
