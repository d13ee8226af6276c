import { type Command, Option } from 'commander';

/** Which ledger a command reads, and how it answers. */
export interface LedgerOptions {
  readonly data?: string;
  readonly stage?: string;
  readonly json?: true;
}

export const defaultDataDir = '.fireledger';

/** The options of every verb that reads a ledger. */
export function withLedgerOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--data <dir>',
        `data folder of this machine's ledger (default: ${defaultDataDir})`,
      ).conflicts('stage'),
    )
    .option('--stage <name>', 'the ledger of a deployed stage, with your AWS credentials')
    .option('--json', 'answer in JSON');
}
