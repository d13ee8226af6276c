import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { App, Stack } from 'aws-cdk-lib/core';
import { Annotations } from 'aws-cdk-lib/core';
import { type Bundle, bundleFunctions, loadCatalog } from '../functions/catalog/index.ts';
import { quotaFinding } from './quotas.ts';
import { planStacks } from './room.ts';
import { ExampleStack } from './stacks/example/example-stack.ts';
import { JobsStack } from './stacks/jobs-stack.ts';
import { LedgerStack } from './stacks/ledger-stack.ts';
import { NetworkStack, wantsEndpoints } from './stacks/network-stack.ts';
import { refuseUnknownVpcs, type Stage } from './stage.ts';

export interface StageOptions {
  readonly stage: Stage;
  readonly jobsDir: string;
}

/**
 * Adds a stage's stacks. Bundles become assets in the app's output folder.
 *
 * @throws ConfigError for too many jobs for its stacks, or networks that it lacks, CatalogError with every problem of every job file;
 *   then nothing is written
 */
export async function addStacks(app: App, { stage, jobsDir }: StageOptions): Promise<void> {
  const catalog = await loadCatalog({ jobsDir, stage: stage.name });
  const { jobs } = catalog.manifest;
  refuseUnknownVpcs(stage, jobs);
  const planned = planStacks(stage, jobs);
  const outDir = path.join(app.outdir, 'bundles');
  const bundles = await bundleFunctions({ catalog, outDir });

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
    await discard(of.jobs.flatMap(({ id }) => bundles.functions[id] ?? []));
  }
  await discard([{ dir: outDir }]);
  tell(ledger, catalog.warnings, quotaFinding(stage, jobs));
}

/** Assets are copies, and a thousand bundles are half a gigabyte: they needn't lie there twice, not even for a while. */
async function discard(staged: readonly Pick<Bundle, 'dir'>[]): Promise<void> {
  await Promise.all(staged.map(({ dir }) => rm(dir, { recursive: true })));
}

function tell(stack: Stack, warnings: readonly string[], quotas: ReturnType<typeof quotaFinding>): void {
  const annotations = Annotations.of(stack);
  for (const [index, warning] of warnings.entries())
    annotations.addWarningV2(`fireledger:job-file-${index + 1}`, warning);
  if (quotas?.kind === 'info') annotations.addInfoV2('fireledger:quotas', quotas.text);
  if (quotas?.kind === 'warning') annotations.addWarningV2('fireledger:quotas', quotas.text);
}
