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
  /** @default the region of whoever deploys */
  readonly region?: string;
}

export const stages = {
  local: { removal: 'destroy', deletionProtection: false, retentionDays: 400, logRetentionDays: 7 },
  dev: { removal: 'destroy', deletionProtection: false, retentionDays: 400, logRetentionDays: 30 },
  prod: { removal: 'retain', deletionProtection: true, retentionDays: 400, logRetentionDays: 400 },
} as const satisfies Readonly<Record<string, StageConfig>>;

export const stageNames: readonly string[] = Object.keys(stages);

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
  if (config.region !== undefined && !/^[a-z]{2}(-[a-z]+)+-\d$/.test(config.region))
    refuse('region', config.region, 'a region such as ap-northeast-1');
  if (config.deletionProtection && config.removal === 'destroy')
    refuse('removal', config.removal, '"retain", since deletionProtection is on and would stop the deletion');
  return problems;
}

function isBetween(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
