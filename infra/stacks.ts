import path from 'node:path';
import type { App } from 'aws-cdk-lib/core';
import { Annotations } from 'aws-cdk-lib/core';
import { bundleFunctions, loadCatalog } from '../functions/catalog/index.ts';
import { ExampleStack } from './stacks/example/example-stack.ts';
import { JobsStack } from './stacks/jobs-stack.ts';
import { LedgerStack } from './stacks/ledger-stack.ts';
import { NetworkStack, wantsEndpoints } from './stacks/network-stack.ts';
import { refuseUnknownVpcs, stageNamed } from './stage.ts';

export interface StageOptions {
  /** A stage of functions/config.ts. */
  readonly stage: string;
  readonly jobsDir: string;
}

/**
 * Adds a stage's stacks. The bundles are written to the app's output folder.
 *
 * @throws ConfigError for an unknown stage or too many jobs, CatalogError with every problem of every job file
 */
export async function addStacks(app: App, options: StageOptions): Promise<void> {
  const stage = stageNamed(options.stage);
  const catalog = await loadCatalog({ jobsDir: options.jobsDir, stage: stage.name });
  refuseUnknownVpcs(stage, catalog.manifest.jobs);
  const bundles = await bundleFunctions({ catalog, outDir: path.join(app.outdir, 'bundles') });

  const ledger = new LedgerStack(app, { stage, reconcilerDir: bundles.reconciler.dir });
  const example = new ExampleStack(app, stage);
  const jobs = new JobsStack(app, { stage, jobs: catalog.manifest.jobs, bundles: bundles.functions });
  if (wantsEndpoints(stage)) {
    const network = new NetworkStack(app, { stage, jobs: catalog.manifest.jobs });
    jobs.addStackDependency(network, 'jobs in a network need a way to the ledger');
  }
  jobs.addStackDependency(ledger, 'alarms need their group and role');
  jobs.addStackDependency(example, 'jobs need the tables that they work on');
  for (const [index, warning] of catalog.warnings.entries())
    Annotations.of(jobs).addWarningV2(`fireledger:job-file-${index + 1}`, warning);
}
