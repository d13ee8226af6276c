import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib/core';
import { CatalogError } from '../functions/catalog/index.ts';
import { ConfigError } from '../functions/config.ts';
import { addStacks } from './stacks.ts';
import { stageNamed } from './stage.ts';

const ownJobs = fileURLToPath(new URL('../functions/jobs', import.meta.url));
const app = new App({ autoSynth: false });

// `npx cdk deploy --all -c stage=NAME -c jobs=FOLDER`
const stage: string = app.node.tryGetContext('stage') ?? 'dev';
const jobsDir: string = app.node.tryGetContext('jobs') ?? ownJobs;

try {
  await addStacks(app, { stage: stageNamed(stage), jobsDir });
  app.synth();
} catch (error) {
  if (!(error instanceof CatalogError) && !(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
