import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCatalog } from '../../functions/catalog/index.ts';
import { env } from '../../functions/contract.ts';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import { alarmName, functionName, jobIdProblem, reconcilerName } from '../../functions/domain/names.ts';
import { compileAlarms } from '../../functions/domain/schedule/index.ts';
import { readControlMessage } from '../../functions/reconciler/control.ts';
import { exampleJobs, type Properties, type Resource, type Synthesised, synthesise } from './synthesised.ts';

let dev: Synthesised;
let jobs: readonly JobEntry[];
beforeAll(async () => {
  dev = await synthesise('dev');
  jobs = (await loadCatalog({ jobsDir: exampleJobs, stage: 'dev' })).manifest.jobs;
});
afterAll(() => dev?.dispose());

function functionOf(job: JobEntry): Resource {
  const name = functionName('dev', job.id, 1);
  const found = dev
    .resources('AWS::Lambda::Function', 'Jobs1')
    .find((each) => each.properties.FunctionName === name);
  if (found === undefined) throw new Error(`${job.id} has no function ${name}`);
  return found;
}

function alarmsOf(job: JobEntry): Properties[] {
  return dev
    .resources('AWS::Scheduler::Schedule', 'Jobs1')
    .map(({ properties }) => properties)
    .filter((alarm) => JSON.parse(String((alarm.Target as Properties).Input)).jobId === job.id);
}

describe('a job', () => {
  test('has one function on the current runtime, with its memory', () => {
    expect(dev.resources('AWS::Lambda::Function', 'Jobs1')).toHaveLength(jobs.length);
    for (const job of jobs)
      expect(functionOf(job).properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: job.memoryMb,
      });
  });

  test('is killed half a minute after its own timeout', () => {
    for (const job of jobs) expect(functionOf(job).properties.Timeout).toBe(job.timeoutMs / 1_000 + 30);
  });

  test("has its own variables and every one that handlers read, of which it can't change any", () => {
    for (const job of jobs) {
      const { Variables } = functionOf(job).properties.Environment as { Variables: Record<string, string> };
      expect(Variables).toMatchObject(job.environment);
      expect(Object.keys(Variables)).toEqual(expect.arrayContaining(Object.values(env)));
      expect(Variables).toMatchObject({ [env.table]: 'fireledger-dev', [env.stage]: 'dev' });
    }
  });

  test('takes at most six resources with one alarm', () => {
    const counted = Object.keys(JSON.parse(dev.texts.get('Jobs1') ?? '{}').Resources).length;
    const alarms = jobs.reduce((sum, job) => sum + compileAlarms(job.spec).alarms.length, 0);
    expect((counted - alarms) / jobs.length + 1).toBeLessThanOrEqual(6);
  });

  test('may be started by alarms and by the reconciler, and by nothing from the internet', () => {
    expect(dev.resources('AWS::Lambda::Url')).toEqual([]);
    expect(dev.resources('AWS::Lambda::Permission')).toEqual([]);
  });
});

describe('every function', () => {
  test('is tried once by Lambda', () => {
    const configs = dev.resources('AWS::Lambda::EventInvokeConfig');
    expect(configs).toHaveLength(dev.resources('AWS::Lambda::Function').length);
    for (const { properties } of configs) expect(properties.MaximumRetryAttempts).toBe(0);
  });

  test('may be part of a chain of offers of any length', () => {
    for (const { properties } of dev.resources('AWS::Lambda::Function'))
      expect(properties.RecursiveLoop).toBe('Allow');
  });

  test('writes to a log of its own that ends', () => {
    const groups = new Map(dev.resources('AWS::Logs::LogGroup').map((group) => [group.id, group.properties]));
    for (const { properties } of dev.resources('AWS::Lambda::Function')) {
      const { LogGroup } = properties.LoggingConfig as { LogGroup: string };
      const group = groups.get(LogGroup.slice(1, -1));
      expect(group).toEqual({ LogGroupName: `/aws/lambda/${properties.FunctionName}`, RetentionInDays: 30 });
    }
    expect(dev.resources('Custom::LogRetention')).toEqual([]);
  });

  test("of a job leaves its failures on the control queue, after no longer than the job's grace", () => {
    for (const job of jobs) {
      const config = dev
        .resources('AWS::Lambda::EventInvokeConfig')
        .find(({ properties }) => properties.FunctionName === `<${functionOf(job).id}>`);
      expect(config?.properties).toMatchObject({
        MaximumEventAgeInSeconds: Math.max(60, job.graceMs / 1_000),
        DestinationConfig: {
          OnFailure: { Destination: 'arn:aws:sqs:eu-central-1:111122223333:fireledger-dev-control' },
        },
      });
    }
  });
});

test("the reconciler has a name that no job's function has", () => {
  const names = dev.resources('AWS::Lambda::Function').map(({ properties }) => properties.FunctionName);
  expect(new Set(names).size).toBe(jobs.length + 1);
  expect(names).toContain(reconcilerName('dev'));
  expect(jobIdProblem(reconcilerName('dev').replace('fireledger-dev-', ''))).not.toBeNull();
});

test('nothing is exported: no stack locks another', () => {
  expect([...dev.texts.keys()].sort()).toEqual(['Example', 'Jobs1', 'Ledger']);
  for (const text of dev.texts.values()) {
    for (const output of Object.values(JSON.parse(text).Outputs ?? {}))
      expect(output).not.toHaveProperty('Export');
    expect(text).not.toContain('Fn::ImportValue');
  }
});

describe('alarms', () => {
  test('are what the schedule compiles to, in the zone of the job', () => {
    for (const job of jobs) {
      const expected = compileAlarms(job.spec).alarms.map(({ expression, timezone }) => [
        expression,
        timezone,
      ]);
      const got = alarmsOf(job).map((alarm) => [alarm.ScheduleExpression, alarm.ScheduleExpressionTimezone]);
      expect(got).toEqual(expected);
    }
  });

  test('poke the function of their job', () => {
    for (const job of jobs)
      for (const { Target } of alarmsOf(job))
        expect((Target as Properties).Arn).toBe(`<${functionOf(job).id}.Arn>`);
  });

  test("send the instant by Scheduler's placeholder, quoted and unescaped in the template's text", () => {
    const text = dev.texts.get('Jobs1') ?? '';
    for (const job of jobs)
      expect(text).toContain(
        String.raw`"{\"fireledger\":\"alarm\",\"jobId\":\"${job.id}\",\"scheduledTime\":\"<aws.scheduler.scheduled-time>\",` +
          String.raw`\"attemptNumber\":\"<aws.scheduler.attempt-number>\"}"`,
      );
    expect(text).not.toContain(String.raw`\u003c`);
  });

  test('never come in a flexible window, and start when they are deployed', () => {
    for (const { properties } of dev.resources('AWS::Scheduler::Schedule')) {
      expect(properties.FlexibleTimeWindow).toEqual({ Mode: 'OFF' });
      expect(properties).not.toHaveProperty('StartDate');
      expect(properties.ScheduleExpression).not.toMatch(/^rate/);
    }
  });

  test('stop poking when the grace is over, a minute at the least', () => {
    for (const job of jobs)
      for (const { Target } of alarmsOf(job))
        expect((Target as Properties).RetryPolicy).toEqual({
          MaximumRetryAttempts: 10,
          MaximumEventAgeInSeconds: Math.max(60, job.graceMs / 1_000),
        });
  });

  test('and the minute of the reconciler leave what they cannot deliver on the control queue', () => {
    for (const { properties } of dev.resources('AWS::Scheduler::Schedule'))
      expect((properties.Target as Properties).DeadLetterConfig).toEqual({
        Arn: 'arn:aws:sqs:eu-central-1:111122223333:fireledger-dev-control',
      });
  });

  test('leave dead letters that the reconciler can read', () => {
    for (const { properties } of dev.resources('AWS::Scheduler::Schedule'))
      expect(readControlMessage(String((properties.Target as Properties).Input), {})).not.toBeNull();
  });

  test("share one group and one role of their stage's", () => {
    expect(dev.resources('AWS::Scheduler::ScheduleGroup').map(({ properties }) => properties)).toEqual([
      { Name: 'fireledger-dev' },
    ]);
    for (const { properties } of dev.resources('AWS::Scheduler::Schedule')) {
      expect(properties.GroupName).toBe('fireledger-dev');
      expect((properties.Target as Properties).RoleArn).toBe(
        'arn:aws:iam::111122223333:role/fireledger-dev-alarms-eu-central-1',
      );
    }
  });

  test('have names that differ and that Scheduler accepts, however long the ids', () => {
    const long = 'a-team/with-a-very-long-name/for-a-nightly-reconciliation-of-invoices/eu-west-1-production';
    const names = [long, `${long}-too`, 'billing/x'].flatMap((id) => [
      ...[alarmName(id, 1, 1), alarmName(id, 1, 12), alarmName(id, 11, 1)],
    ]);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[0-9a-zA-Z-_.]{1,64}$/);
    expect(alarmName('billing/x', 3, 1)).toBe('3-billing_x.1');
  });
});
