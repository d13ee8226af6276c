import path from 'node:path';
import type { App, Stack } from 'aws-cdk-lib/core';
import { Annotations } from 'aws-cdk-lib/core';
import { bundleFunctions, loadCatalog } from '../functions/catalog/index.ts';
import { quotaFinding } from './quotas.ts';
import { planStacks } from './room.ts';
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
 * @throws ConfigError for an unknown stage or too many jobs for its stacks, CatalogError with every problem of every job file;
 *   then nothing is written
 */
export async function addStacks(app: App, options: StageOptions): Promise<void> {
  const stage = stageNamed(options.stage);
  const catalog = await loadCatalog({ jobsDir: options.jobsDir, stage: stage.name });
  const { jobs } = catalog.manifest;
  refuseUnknownVpcs(stage, jobs);
  const planned = planStacks(stage, jobs);
  const bundles = await bundleFunctions({ catalog, outDir: path.join(app.outdir, 'bundles') });

  const ledger = new LedgerStack(app, { stage, reconcilerDir: bundles.reconciler.dir });
  const example = new ExampleStack(app, stage);
  const network = wantsEndpoints(stage) ? new NetworkStack(app, { stage, jobs }) : undefined;
  for (const { warning, ...of } of planned) {
    const stack = new JobsStack(app, { stage, bundles: bundles.functions, ...of });
    stack.addStackDependency(ledger, 'alarms need their group and role');
    stack.addStackDependency(example, 'jobs need the tables that they work on');
    if (network !== undefined)
      stack.addStackDependency(network, 'jobs in a network need a way to the ledger');
    if (warning !== undefined) Annotations.of(stack).addWarningV2('fireledger:nearly-full', warning);
  }
  tell(ledger, catalog.warnings, quotaFinding(stage, jobs));
}

function tell(stack: Stack, warnings: readonly string[], quotas: ReturnType<typeof quotaFinding>): void {
  const annotations = Annotations.of(stack);
  for (const [index, warning] of warnings.entries())
    annotations.addWarningV2(`fireledger:job-file-${index + 1}`, warning);
  if (quotas?.kind === 'info') annotations.addInfoV2('fireledger:quotas', quotas.text);
  if (quotas?.kind === 'warning') annotations.addWarningV2('fireledger:quotas', quotas.text);
}
