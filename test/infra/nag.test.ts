import { type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type App, Stack, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { deployedStages } from '../../functions/config.ts';
import { networkAccess } from '../../infra/constructs/access.ts';
import { ExampleStack } from '../../infra/stacks/example/example-stack.ts';
import { addStacks } from '../../infra/stacks.ts';
import { stageNamed } from '../../infra/stage.ts';
import { addStage, everything, main, stageWith } from './networked.ts';
import { exampleJobs, synthesised } from './synthesised.ts';

/** What an app's synthesis comes to under the rules: it throws with every finding. */
async function check(build: (app: App) => void | Promise<void>): Promise<string[]> {
  const reasons: string[] = [];
  const made = await synthesised(async (app) => {
    await build(app);
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    reasons.push(...reasonsIn(app));
  });
  made.dispose();
  return reasons;
}

/** What the app acknowledges, with the reasons. */
function reasonsIn(app: App): string[] {
  const key = Validations.ACKNOWLEDGED_RULES_METADATA_KEY;
  return app.node
    .findAll()
    .flatMap(({ node }) => node.metadata.filter(({ type }) => type === key))
    .flatMap(({ data }) => Object.values(data as Readonly<Record<string, unknown>>))
    .map(String);
}

test.each(deployedStages)('cdk-nag finds nothing in stage %s that has no written reason', async (name) => {
  const reasons = await check((app) => {
    const stage = stageWith({ main }, name);
    addStage(app, stage, [everything]);
    new ExampleStack(app, stage);
  });
  expect(reasons.length).toBeGreaterThan(5);
  for (const reason of new Set(reasons)) expect(reason).toMatch(/^[A-Z].{40,}\.$/);
});

test('nor in the app as it is', async () => {
  await check((app) => addStacks(app, { stage: stageNamed('dev'), jobsDir: exampleJobs }));
});

test('and it would: a right that nobody explains is a finding', async () => {
  const unexplained = check((app) => {
    const assumedBy = new ServicePrincipal('lambda.amazonaws.com');
    const role = new Role(new Stack(app, 'Any'), 'Role', { assumedBy });
    for (const statement of networkAccess('any') as PolicyStatement[]) role.addToPolicy(statement);
  });
  await expect(unexplained).rejects.toThrow('AwsSolutions-IAM5[Resource::*]');
});
