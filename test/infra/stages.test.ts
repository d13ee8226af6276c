import { Stack } from 'aws-cdk-lib/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StageConfig } from '../../functions/config.ts';
import { env } from '../../functions/contract.ts';
import { manifestJob } from '../support/jobs.ts';
import { addStage, main, stageWith } from './networked.ts';
import { type Synthesised, synthesised } from './synthesised.ts';

interface Deployed extends Synthesised {
  readonly stacks: readonly Stack[];
}

async function deployed(differs: Partial<StageConfig>): Promise<Deployed> {
  const stacks: Stack[] = [];
  const made = await synthesised((app) => {
    addStage(app, { ...stageWith({ main }), ...differs }, [manifestJob()]);
    stacks.push(...app.node.children.filter(Stack.isStack));
  });
  return { ...made, stacks };
}

let plain: Deployed;
let other: Deployed;
beforeAll(async () => {
  const kept = { removal: 'retain', deletionProtection: true } as const;
  plain = await deployed({});
  other = await deployed({ ...kept, retentionDays: 1_000, logRetentionDays: 365, region: 'eu-west-1' });
});
afterAll(() => {
  plain?.dispose();
  other?.dispose();
});

describe('what a stage says in functions/config.ts', () => {
  test('of protection holds for each of its stacks', () => {
    const isProtected = ({ stacks }: Deployed) => new Set(stacks.map((stack) => stack.terminationProtection));
    expect([isProtected(plain), isProtected(other)]).toEqual([new Set([false]), new Set([true])]);
  });

  test('of its region, too; without, it is that of whoever deploys', () => {
    const regions = ({ stacks }: Deployed) => new Set(stacks.map(({ environment }) => environment));
    expect(regions(plain)).toEqual(new Set(['aws://unknown-account/unknown-region']));
    expect(regions(other)).toEqual(new Set(['aws://unknown-account/eu-west-1']));
  });

  test('of how long runs are kept reaches the reconciler and every job', () => {
    const kept = (made: Deployed) =>
      made.resources('AWS::Lambda::Function').map(({ properties }) => {
        const { Variables } = properties.Environment as { Variables: Record<string, string> };
        return Variables[env.retentionDays];
      });
    expect([kept(plain), kept(other)]).toEqual([
      ['400', '400'],
      ['1000', '1000'],
    ]);
  });

  test('of how long logs are kept holds for each of them', () => {
    const kept = (made: Deployed) =>
      made.resources('AWS::Logs::LogGroup').map(({ properties }) => properties.RetentionInDays);
    expect([kept(plain), kept(other)]).toEqual([
      [30, 30],
      [365, 365],
    ]);
  });
});
