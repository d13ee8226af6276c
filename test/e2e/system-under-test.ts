import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { GetScheduleCommand, SchedulerClient, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import { stageConfig } from '../../functions/config.ts';
import { alarmPayload } from '../../functions/contract.ts';
import { alarmName, functionName } from '../../functions/domain/names.ts';
import { stackOf } from '../../functions/domain/placement.ts';
import { minute } from '../../functions/domain/time.ts';
import { embedded } from '../../functions/store/dynamodb/index.ts';
import { alarmGroupName } from '../../infra/names.ts';
import { eventually } from './ledger.ts';
import { fl, inScenario, isReady, type Scenario, type System } from './system.ts';

/** fireledger with the jobs of test/e2e/jobs, wherever it runs. */
export interface SystemUnderTest {
  /** The words by which `fl` finds its ledger. */
  readonly ledger: readonly string[];
  /** Sends a job what its alarm sends for that fire, as if the alarm rang again. */
  deliver(jobId: string, fireTime: string): Promise<void>;
  /** While `act` runs, no alarm of the job rings. */
  whileSilent(jobId: string, act: () => Promise<void>): Promise<void>;
}

/** Where the jobs are, below the package. */
export const jobsUnderTest = 'test/e2e/jobs';

type InSystem = (play: (system: SystemUnderTest) => Promise<void>) => Promise<void>;

/** One of its own on this machine, with `npm start`. */
export const onThisMachine: InSystem = (play) =>
  inScenario(async (scenario) => {
    let running = await started(scenario);
    await play({
      ledger: ['--data', scenario.path('data')],
      deliver: (jobId, fireTime) => invoke({ ...running.lambda, stage: 'local', jobId, stack: 1 }, fireTime),
      async whileSilent(_, act) {
        running.system.kill('SIGINT');
        await running.system.ended;
        await act();
        running = await started(scenario);
      },
    });
  });

async function started(scenario: Scenario): Promise<{ system: System; lambda: LambdaClientConfig }> {
  const words = ['--json', '--no-console', '--data', scenario.path('data'), '--jobs', jobsUnderTest];
  const system = scenario.start(...words);
  const { endpointUrl } = await system.until(isReady);
  return { system, lambda: { ...embedded, endpoint: String(endpointUrl) } };
}

/** What was deployed just now is known with the first sweep. */
const knownWithinMs = 3 * minute;

/** A stage to which the jobs are deployed, at AWS or wherever AWS_ENDPOINT_URL says. */
export function onStage(stage: string): InSystem {
  const { jobStacks, region } = stageConfig(stage);
  const client: LambdaClientConfig = region === undefined ? {} : { region };
  const stackFor = (jobId: string) => stackOf(jobId, jobStacks);
  return async (play) => {
    await eventually(
      () => fl('jobs', '--stage', stage),
      ({ code }) => code === 0,
      knownWithinMs,
    );
    await play({
      ledger: ['--stage', stage],
      deliver: (jobId, fireTime) => invoke({ ...client, stage, jobId, stack: stackFor(jobId) }, fireTime),
      async whileSilent(jobId, act) {
        const alarm = { GroupName: alarmGroupName(stage), Name: alarmName(jobId, stackFor(jobId), 1) };
        await switchAlarm(alarm, 'DISABLED', region);
        try {
          await act();
        } finally {
          await switchAlarm(alarm, 'ENABLED', region);
        }
      },
    });
  };
}

type Target = LambdaClientConfig & {
  readonly stage: string;
  readonly jobId: string;
  readonly stack: number;
};

async function invoke({ stage, jobId, stack, ...config }: Target, fireTime: string): Promise<void> {
  const client = new LambdaClient(config);
  const payload = { ...alarmPayload(jobId), scheduledTime: fireTime };
  await client.send(
    new InvokeCommand({
      FunctionName: functionName(stage, jobId, stack),
      InvocationType: 'Event',
      Payload: new TextEncoder().encode(JSON.stringify(payload)),
    }),
  );
  client.destroy();
}

/** Scheduler keeps nothing that an update leaves out. */
async function switchAlarm(
  alarm: { readonly GroupName: string; readonly Name: string },
  State: 'ENABLED' | 'DISABLED',
  region: string | undefined,
): Promise<void> {
  const client = new SchedulerClient(region === undefined ? {} : { region });
  const { ScheduleExpression, FlexibleTimeWindow, Target, ...rest } = await client.send(
    new GetScheduleCommand(alarm),
  );
  const { ScheduleExpressionTimezone, ActionAfterCompletion } = rest;
  await client.send(
    new UpdateScheduleCommand({
      ...alarm,
      ...{
        ScheduleExpression,
        ScheduleExpressionTimezone,
        FlexibleTimeWindow,
        Target,
        ActionAfterCompletion,
      },
      State,
    }),
  );
  client.destroy();
}
