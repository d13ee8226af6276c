import { stageConfig } from '../../config.ts';
import { ledgerClient } from '../../store/dynamodb/index.ts';
import { type Check, fine } from './check.ts';

/** What a stage is reached with; nothing of a secret is told. */
export async function awsChecks(stage: string): Promise<Check[]> {
  const { region } = stageConfig(stage);
  const client = ledgerClient(region === undefined ? {} : { region });
  try {
    return [await credentialsCheck(client), await regionCheck(client, region)];
  } finally {
    client.destroy();
  }
}

type Client = ReturnType<typeof ledgerClient>;

async function credentialsCheck({ config }: Client): Promise<Check> {
  const from = process.env.AWS_PROFILE === undefined ? '' : ` of profile ${process.env.AWS_PROFILE}`;
  try {
    const { expiration } = await config.credentials();
    const until = expiration === undefined ? '' : `, until ${expiration.toISOString().slice(0, 16)}Z`;
    return fine('credentials', `there are some${from}${until}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const todo = 'set AWS_PROFILE, or sign in: aws sso login';
    return { name: 'credentials', verdict: 'wrong', says: `none can be had${from}: ${why}`, todo };
  }
}

async function regionCheck({ config }: Client, configured: string | undefined): Promise<Check> {
  try {
    const region = await config.region();
    return fine(
      'region',
      configured === undefined ? `${region}, by your environment` : `${region}, by functions/config.ts`,
    );
  } catch {
    return {
      name: 'region',
      verdict: 'wrong',
      says: 'none is set',
      todo: 'set AWS_REGION, or the stage’s region in functions/config.ts',
    };
  }
}
