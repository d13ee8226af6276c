import { stageConfig } from '../config.ts';
import { controlQueueName, tableName, unreadableQueueName } from '../contract.ts';
import type { Ledger } from '../domain/ledger.ts';
import { day } from '../domain/time.ts';
import { unreadableNameOf } from '../local/queue.ts';
import type { ReconcilerStanding } from '../store/dynamodb/index.ts';
import { type Endpoint, openDataEndpoint } from './data-endpoint.ts';
import { defaultDataDir, type LedgerOptions } from './ledger-options.ts';
import type { Queues } from './queues.ts';
import { UserError } from './user-error.ts';

export interface OpenLedger {
  readonly ledger: Ledger;
  readonly reconciler: () => Promise<ReconcilerStanding | null>;
  readonly retentionDays: number;
  /** What a person calls it. */
  readonly name: string;
  /** Absent: a data folder on this machine. */
  readonly stage?: string;
  /** By which its reconciler is told. Absent: none runs that could be. */
  readonly queues?: Queues;
  /** No system runs on it, and none can start meanwhile. */
  readonly isAlone?: true;
  /** Where the functions of its stage are. Absent: on this machine. */
  readonly deployed?: { readonly region: string; readonly jobStacks: number };
}

interface Place extends Endpoint, Pick<OpenLedger, 'queues' | 'stage'> {
  readonly table: string;
  readonly retentionDays: number;
  readonly name: string;
  readonly region?: string;
}

const localStage = 'local';
/** A person waits longer than a delivery. */
const requestTimeoutMs = 10_000;

/** Runs a verb of fl on the ledger that its options name; whatever had to be started for it is ended again. */
export function usingLedger<T>(
  options: LedgerOptions,
  verb: string,
  act: (open: OpenLedger) => Promise<T>,
): Promise<T> {
  return usingLedgerAs(options, `fl ${verb}`, act);
}

/** The same for another command, as a person would type it. */
export async function usingLedgerAs<T>(
  options: LedgerOptions,
  command: string,
  act: (open: OpenLedger) => Promise<T>,
): Promise<T> {
  const place = options.stage === undefined ? await dataPlace(options, command) : stagePlace(options.stage);
  // Only here: commands that need no ledger start faster without the SDK.
  const { dynamoLedger, ledgerClient, readReconciler } = await import('../store/dynamodb/index.ts');
  const client = ledgerClient({
    requestTimeoutMs,
    ...(place.endpoint === undefined ? {} : { endpoint: place.endpoint }),
    ...(place.region === undefined ? {} : { region: place.region }),
  });
  const { table, retentionDays, name, stage, queues, isAlone } = place;
  const ledger = dynamoLedger({ client, table, retentionMs: retentionDays * day });
  try {
    const reconciler = () => readReconciler({ client, table });
    const deployed = stage === undefined ? undefined : await deployedOf(stage, client);
    return await act({
      ledger,
      reconciler,
      retentionDays,
      name,
      ...(stage !== undefined && { stage }),
      ...(queues && { queues }),
      ...(isAlone && { isAlone }),
      ...(deployed && { deployed }),
    });
  } catch (error) {
    throw explained(error, place);
  } finally {
    client.destroy();
    await place.close();
  }
}

async function deployedOf(
  stage: string,
  { config }: { readonly config: { readonly region: () => Promise<string> } },
): Promise<NonNullable<OpenLedger['deployed']>> {
  return { region: await config.region(), jobStacks: stageConfig(stage).jobStacks };
}

async function dataPlace({ data = defaultDataDir }: LedgerOptions, command: string): Promise<Place> {
  const endpoint = await openDataEndpoint(data, command);
  const queues = endpoint.controlQueueUrl && { queues: queuesOf(new URL(endpoint.controlQueueUrl)) };
  return { ...placeOf(localStage), ...endpoint, ...queues, name: `the data folder ${data}` };
}

function stagePlace(stage: string): Place {
  refuseLocal(stage);
  const { region, ...place } = placeOf(stage);
  const where = region === undefined ? {} : { region };
  const queues = { control: controlQueueName(stage), unreadable: unreadableQueueName(stage), ...where };
  return { ...place, ...where, stage, queues, close: async () => {} };
}

/** Of a system that runs on this machine. */
function queuesOf({ origin, pathname }: URL): Queues {
  const control = pathname.split('/').at(-1) ?? '';
  return { control, unreadable: unreadableNameOf(control), endpoint: origin };
}

/** @throws UserError for the stage that is not deployed */
export function refuseLocal(stage: string): void {
  if (stage === localStage)
    throw new UserError(
      `the stage "${localStage}" is a data folder on this machine: leave --stage out, or use --data DIR`,
    );
}

function placeOf(stage: string): Omit<Place, 'close'> {
  const { retentionDays, region } = stageConfig(stage);
  const table = tableName(stage);
  // It may have been set for something else; then another stage is looked at than the person thinks.
  const elsewhere = process.env.AWS_ENDPOINT_URL ? ` at ${process.env.AWS_ENDPOINT_URL}` : '';
  return {
    table,
    retentionDays,
    name: `stage ${stage} (table ${table}${elsewhere})`,
    ...(region === undefined ? {} : { region }),
  };
}

/** What the SDK says, with where it was said and what to do next; other errors stay as they are. */
function explained(error: unknown, { name, endpoint, stage }: Place): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  if (error.name === 'ResourceNotFoundException')
    return new UserError(
      endpoint === undefined
        ? `${name} doesn't exist in this account and region. Check AWS_PROFILE and AWS_REGION, or deploy it: npx cdk deploy --all -c stage=${stage}`
        : `there is no ledger in ${name} yet. Start the system once with \`npm start\``,
      { cause: error },
    );
  if (!isFromSdk(error)) return error;
  return new UserError(
    `${name} can't be read: ${error.message}${endpoint === undefined ? '. Check your AWS credentials, AWS_PROFILE and AWS_REGION' : ''}`,
    { cause: error },
  );
}

function isFromSdk(error: Error): boolean {
  return (
    '$metadata' in error ||
    error.name === 'CredentialsProviderError' ||
    error.message === 'Region is missing' ||
    'code' in error
  );
}
