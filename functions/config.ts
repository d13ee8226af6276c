/** What differs between stages. Read by infra and by `fl`. */
export interface StageConfig {
  /** What becomes of the ledger when its stack is deleted. */
  readonly removal: 'destroy' | 'retain';
  /** Refuses to delete the ledger's table. */
  readonly deletionProtection: boolean;
  /** How long finished runs are kept; an audit can't look further back. Longer than any job's `missed.maxAge`: 366 to 3650. */
  readonly retentionDays: number;
  /** How long logs are kept: one of the lengths that CloudWatch Logs offers. */
  readonly logRetentionDays: number;
  /**
   * Over how many stacks the jobs are spread, 1 to 200; one stack holds about 75 jobs. One more moves few of them; before one
   * less, see README, "Deploying".
   */
  readonly jobStacks: number;
  /** Whether it has alerts and a dashboard: about $4 a month (November 2026). Without them its topic still gets notices. */
  readonly alerts: 'on' | 'off';
  /** @default the region of whoever deploys */
  readonly region?: string;
  /** Networks that jobs may be in, by the name in their option `vpc`. @default none */
  readonly vpcs?: Readonly<Record<string, Vpc>>;
}

/** A network that is there already. Nothing is looked up: what stands here is deployed. */
export interface Vpc {
  readonly vpcId: string;
  /** Of the functions: private ones, best in two zones. 1 to 16. */
  readonly subnetIds: readonly string[];
  /** Of the functions. They must let HTTPS out. 1 to 5. */
  readonly securityGroupIds: readonly string[];
  /**
   * How functions reach DynamoDB and SQS, and what keeps their secrets. `create`: by endpoints of fireledger's, of which those
   * for SQS and for secrets cost by the hour, and answer for the whole network: only for one that nobody else uses.
   * `existing`: by endpoints, or by a way to the internet, that are there.
   */
  readonly endpoints: 'create' | 'existing';
  /** Of the subnets; required for `create`: DynamoDB's endpoint is a route. */
  readonly routeTableIds?: readonly string[];
}

export const vpcName = /^[a-z][a-z0-9-]{0,31}$/;

export const stages = {
  local: {
    removal: 'destroy',
    deletionProtection: false,
    retentionDays: 400,
    logRetentionDays: 7,
    alerts: 'off',
    jobStacks: 1,
  },
  dev: {
    removal: 'destroy',
    deletionProtection: false,
    retentionDays: 400,
    logRetentionDays: 30,
    alerts: 'on',
    jobStacks: 1,
  },
  e2e: {
    removal: 'destroy',
    deletionProtection: false,
    retentionDays: 366,
    logRetentionDays: 1,
    alerts: 'off',
    jobStacks: 1,
  },
  prod: {
    removal: 'retain',
    deletionProtection: true,
    retentionDays: 400,
    logRetentionDays: 400,
    alerts: 'on',
    jobStacks: 4,
  },
} as const satisfies Readonly<Record<string, StageConfig>>;

export const stageNames: readonly string[] = Object.keys(stages);

/** This machine's, which `npm start` runs. */
export const localStage = 'local' satisfies keyof typeof stages;

/** Those that `cdk deploy` takes. */
export const deployedStages: readonly string[] = stageNames.filter((name) => name !== localStage);

/** A stage that doesn't exist, or one whose configuration can't be deployed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError for an unknown name, or when functions/config.ts holds a value out of range */
export function stageConfig(name: string): StageConfig {
  const known: Readonly<Record<string, StageConfig>> = stages;
  const config = Object.hasOwn(known, name) ? known[name] : undefined;
  if (config === undefined)
    throw new ConfigError(
      `there is no stage ${JSON.stringify(name)}; the stages of functions/config.ts are ${stageNames.join(', ')}`,
    );
  const problems = stageProblems(name, config);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

export const mostJobStacks = 200;

const logRetentions: readonly number[] = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** Everything that is wrong with a stage, one sentence each. The name is part of function and table names. */
export function stageProblems(name: string, config: StageConfig): string[] {
  const problems: string[] = [];
  const refuse = (key: string, value: unknown, allowed: string) =>
    problems.push(`functions/config.ts: ${name}: ${key} is ${JSON.stringify(value)}; allowed is ${allowed}`);

  // Without "-": `fireledger-dev-*` must be what stage dev has, and nothing that another stage has.
  if (!/^[a-z][a-z0-9]{0,15}$/.test(name)) refuse('the name', name, 'a letter and up to 15 of a-z and 0-9');
  if (!isBetween(config.retentionDays, 366, 3650))
    refuse('retentionDays', config.retentionDays, 'a whole number of days from 366 to 3650');
  if (!logRetentions.includes(config.logRetentionDays))
    refuse('logRetentionDays', config.logRetentionDays, `one of ${logRetentions.join(', ')}`);
  if (!isBetween(config.jobStacks, 1, mostJobStacks))
    refuse('jobStacks', config.jobStacks, `a whole number from 1 to ${mostJobStacks}`);
  if (config.alerts !== 'on' && config.alerts !== 'off') refuse('alerts', config.alerts, '"on" or "off"');
  if (config.region !== undefined && !/^[a-z]{2}(-[a-z]+)+-\d$/.test(config.region))
    refuse('region', config.region, 'a region such as ap-northeast-1');
  if (config.removal !== 'destroy' && config.removal !== 'retain')
    refuse('removal', config.removal, '"destroy" or "retain"');
  if (typeof config.deletionProtection !== 'boolean')
    refuse('deletionProtection', config.deletionProtection, 'true or false');
  if (config.deletionProtection && config.removal === 'destroy')
    refuse('removal', config.removal, '"retain", since deletionProtection is on and would stop the deletion');
  for (const [vpc, network] of Object.entries(config.vpcs ?? {}))
    refuseVpc(vpc, network, (key, value, allowed) => refuse(`vpcs.${vpc}${key}`, value, allowed));
  return problems;
}

type RefusePart = (key: string, value: unknown, allowed: string) => void;

function refuseVpc(name: string, vpc: Vpc, refuse: RefusePart): void {
  const { vpcId, subnetIds, securityGroupIds, endpoints, routeTableIds = [] } = vpc;
  if (!vpcName.test(name)) refuse(', its name,', name, 'a letter and up to 31 of a-z, 0-9 and "-"');
  if (!isId('vpc', vpcId)) refuse('.vpcId', vpcId, 'an id such as vpc-0123456789abcdef0');
  refuseIds('subnet', '.subnetIds', subnetIds, [1, 16], refuse);
  refuseIds('sg', '.securityGroupIds', securityGroupIds, [1, 5], refuse);
  refuseIds('rtb', '.routeTableIds', routeTableIds, [endpoints === 'create' ? 1 : 0, 50], refuse);
  if (endpoints !== 'create' && endpoints !== 'existing')
    refuse('.endpoints', endpoints, '"create" or "existing"');
}

function refuseIds(
  kind: string,
  key: string,
  ids: readonly string[],
  [least, most]: readonly [number, number],
  refuse: RefusePart,
): void {
  if (ids.length >= least && ids.length <= most && ids.every((id) => isId(kind, id))) return;
  refuse(key, ids, `a list of ${least} to ${most} ids such as ${kind}-0123456789abcdef0`);
}

function isId(kind: string, id: string): boolean {
  return new RegExp(`^${kind}-([0-9a-f]{8}|[0-9a-f]{17})$`).test(id);
}

function isBetween(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
