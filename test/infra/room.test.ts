import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, CfnResource } from 'aws-cdk-lib/core';
import { afterAll, describe, expect, test } from 'vitest';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { quotaFinding } from '../../infra/quotas.ts';
import { type PlannedStack, planStacks, resourcesOf } from '../../infra/room.ts';
import { JobsStack } from '../../infra/stacks/jobs-stack.ts';
import type { Stage } from '../../infra/stage.ts';
import { manifestJob } from '../support/jobs.ts';
import { everything, main, stageWith } from './networked.ts';
import { emptyBundle } from './synthesised.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'fireledger-room-'));
const bundle = { dir: emptyBundle(dir) };
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const daily = cron('0 3 * * *');
/** EventBridge has no "or" of days, so these are two alarms. */
const twice = cron('0 3 1 * MON');

function manyJobs(count: number): JobEntry[] {
  return Array.from({ length: count }, (_, index) =>
    manifestJob({ id: `many/job-${index}`, schedule: daily }),
  );
}

function stage(jobStacks: number): Stage {
  return { ...stageWith({ main }), jobStacks };
}

function deployed({ stack, jobs }: Pick<PlannedStack<JobEntry>, 'stack' | 'jobs'>): CfnResource[] {
  const app = new App({ outdir: path.join(dir, 'out') });
  const bundles = Object.fromEntries(jobs.map(({ id }) => [id, bundle]));
  const made = new JobsStack(app, { stage: stage(2), stack, jobs, bundles });
  return made.node.findAll().filter(CfnResource.isCfnResource);
}

describe('a job', () => {
  test.each([
    ['one alarm is five resources', daily, 5],
    ['two alarms is six', twice, 6],
  ])('with %s, as many as room is made for', (_, schedule, expected) => {
    const job = manifestJob({ schedule });
    expect(deployed({ stack: 1, jobs: [job] })).toHaveLength(expected);
    expect(resourcesOf(job)).toBe(expected);
  });

  test('with a network, secrets and rights of its own is no more than one without', () => {
    const made = deployed({ stack: 1, jobs: [everything] });
    expect(made).toHaveLength(resourcesOf(everything));
    expect(made).toHaveLength(5);
  });

  test('is in one of the stacks, and when it moves nothing of it is called as it was', () => {
    const jobs = manyJobs(200);
    const placed = (jobStacks: number) =>
      new Map(planStacks(stage(jobStacks), jobs).flatMap((one) => one.jobs.map(({ id }) => [id, one.stack])));
    const [before, after] = [placed(4), placed(5)];
    expect([before.size, after.size]).toEqual([200, 200]);
    const moved = jobs.find(({ id }) => before.get(id) !== after.get(id));
    if (moved === undefined) throw new Error('No job moved');
    const names = (stack: number) =>
      deployed({ stack, jobs: [moved] }).flatMap((resource) => namesOf(resource));
    const all = [...names(before.get(moved.id) ?? 0), ...names(after.get(moved.id) ?? 0)];
    expect(all).toHaveLength(6);
    expect(new Set(all).size).toBe(6);
  });
});

const nameOf: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': 'functionName',
  'AWS::Logs::LogGroup': 'logGroupName',
  'AWS::Scheduler::Schedule': 'name',
};

/** The type of what has a name that we give it, and that name. */
function namesOf(resource: CfnResource): string[] {
  const { cfnResourceType: type } = resource;
  const field = nameOf[type];
  return field === undefined ? [] : [`${type} ${Reflect.get(resource, field)}`];
}

test('a stack to which no job falls has one resource that makes nothing: CloudFormation refuses a stack without any', () => {
  const planned = planStacks(stage(7), manyJobs(3));
  expect(planned.map(({ stack }) => stack)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const empty = planned.find(({ jobs }) => jobs.length === 0);
  if (empty === undefined) throw new Error('Every stack has a job');
  expect(deployed(empty).map(({ cfnResourceType }) => cfnResourceType)).toEqual([
    'AWS::CloudFormation::WaitConditionHandle',
  ]);
});

describe('room', () => {
  test('for 80 jobs of five resources is enough; from 401 on a stack is said to be nearly full, with the remedy', () => {
    expect(planStacks(stage(1), manyJobs(80)).map(({ warning }) => warning)).toEqual([undefined]);
    expect(planStacks(stage(1), manyJobs(81)).map(({ warning }) => warning)).toEqual([
      'fireledger-dev-jobs-1 has 405 resources for 81 of 81 jobs of the 450 that it may have. ' +
        'Raise jobStacks of stage dev in functions/config.ts from 1 to 2; few jobs move.',
    ]);
  });

  test('that is too small is refused, with the smallest number of stacks that have it', () => {
    const jobs = manyJobs(300);
    const thrown = () => planStacks(stage(3), jobs);
    expect(thrown).toThrow(
      /^fireledger-dev-jobs-\d has \d{3} resources for \d+ of 300 jobs, and is to have 450 at most \(CloudFormation allows 500\)\. /,
    );
    expect(thrown).toThrow(
      /Raise jobStacks of stage dev in functions\/config\.ts from 3 to 4; few jobs move\.$/,
    );
    expect(() => planStacks(stage(4), jobs)).not.toThrow();
  });

  test('for what not even the most stacks hold is made by leaving jobs out', () => {
    const alarms = Array.from({ length: 450 }, (_, index) => cron(`${index % 60} ${index % 23} * * *`));
    expect(() => planStacks(stage(1), [manifestJob({ schedule: alarms })])).toThrow(
      /Not even 200 stacks have room for these jobs: give those that stage dev can do without a 'stages' list\.$/,
    );
  });

  test('of a thousand jobs needs no stack of over 450 resources, and few stacks more than they would fill', () => {
    const jobs = manyJobs(1_000);
    const wanted = /to (\d+); few/.exec(String(caught(() => planStacks(stage(12), jobs))))?.[1];
    expect(Number(wanted)).toBeLessThanOrEqual(15);
    for (const one of planStacks(stage(Number(wanted)), jobs))
      expect(one.jobs.reduce((sum, job) => sum + resourcesOf(job), 0)).toBeLessThanOrEqual(450);
  });
});

function caught(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe('quotas', () => {
  test('are no subject while a stage takes less than half of them', () => {
    expect(quotaFinding({ name: 'prod' }, manyJobs(400))).toBeNull();
  });

  test('are shown beyond that, and where to look', () => {
    const finding = quotaFinding({ name: 'prod' }, manyJobs(600));
    expect(finding?.kind).toBe('info');
    expect(finding?.text).toMatch(
      /^Stage prod takes 602 IAM roles, 601 functions with a log group each, and 601 schedules\. .* Service Quotas shows what is left/,
    );
  });

  test('that an account doesn’t have at first are to be asked for before the deploy', () => {
    const finding = quotaFinding({ name: 'prod' }, manyJobs(1_000));
    expect(finding?.kind).toBe('warning');
    expect(finding?.text).toMatch(/1,002 IAM roles.*begins with 1,000 roles.*"Roles per account" of 1,500;/);
    expect(quotaFinding({ name: 'prod' }, manyJobs(5_000))?.text).toMatch(
      /of 5,000, which is all that IAM grants: spread the stages over accounts/,
    );
  });
});
