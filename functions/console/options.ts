import { Command, InvalidArgumentError, Option } from 'commander';
import { defaultDataDir } from '../cli/ledger-options.ts';

/** What `npm run console --` was asked for. */
export interface ConsoleRequest {
  readonly data?: string;
  readonly stage?: string;
  readonly port?: number;
  readonly json?: true;
}

/** The options of `npm run console`. */
export function consoleCommand(): Command {
  return new Command('npm run console --')
    .description('The console on a page of your browser: what ran, what did not, why, and what to press')
    .exitOverride()
    .showHelpAfterError('(npm run console -- --help lists the options)')
    .addOption(
      new Option(
        '--data <dir>',
        `data folder of this machine's ledger (default: ${defaultDataDir})`,
      ).conflicts('stage'),
    )
    .option('--stage <name>', 'the ledger of a deployed stage, with your AWS credentials')
    .addOption(
      new Option('--port <port>', 'its port on loopback (default: any free one)').argParser(portNumber),
    )
    .option('--json', 'tell the address in JSON')
    .addHelpText(
      'after',
      `
It is served on 127.0.0.1 only, and reads and acts as you do with fl. While npm start runs, it serves the same page.

Examples:
  npm run console -- --stage prod
  npm run console -- --data ~/my-ledger --port 4000`,
    );
}

/** @throws CommanderError, already told, when it can't be read or asked for help */
export function readConsoleOptions(words: readonly string[]): ConsoleRequest {
  return consoleCommand().parse(words, { from: 'user' }).opts();
}

function portNumber(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('Allowed is a whole number from 0 to 65535.');
}
