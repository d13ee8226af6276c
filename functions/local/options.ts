import { randomInt } from 'node:crypto';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { defaultDataDir } from '../cli/ledger-options.ts';
import { parseDuration } from '../domain/schedule/index.ts';
import { second } from '../domain/time.ts';

/** What `npm start --` was asked for. */
export interface StartOptions {
  /** Port of the endpoint on loopback; absent: any free one. */
  readonly port?: number;
  readonly data: string;
  readonly jobs: string;
  readonly ephemeral: boolean;
  readonly console: boolean;
  readonly instances: number;
  /** Deliveries and processes are disturbed as this number says. */
  readonly chaosSeed?: number;
  /** Stop by itself after so many milliseconds, and audit. */
  readonly forMs?: number;
  readonly json: boolean;
}

/** The folder whose jobs come with example tables and outside addresses that are stood in for. */
export const ownJobs = 'functions/jobs';

const mostSeed = 999_999_999;

/**
 * Reads the command line.
 *
 * @throws CommanderError, already told, when it can't be read or asked for help
 */
export function readOptions(words: readonly string[]): StartOptions {
  const command = new Command('npm start --')
    .description(
      'The whole system on this machine: alarms by the real clock, bundled jobs in processes of their own, a ledger on disk',
    )
    .exitOverride()
    .showHelpAfterError('(npm start -- --help lists the options)')
    .addOption(
      new Option('--port <port>', 'port of the local AWS endpoint, on loopback').argParser(portNumber),
    )
    .option('--data <dir>', 'where the ledger is kept', defaultDataDir)
    .option('--jobs <dir>', 'the folder of the job files', ownJobs)
    .option('--ephemeral', 'keep nothing: a temporary ledger, removed at the end', false)
    .option('--no-console', 'without the console')
    .addOption(
      new Option('--instances <count>', 'deliver every fire so many times, as that many schedulers would')
        .argParser(wholeNumber(1, 10))
        .default(1),
    )
    .addOption(
      new Option(
        '--chaos [seed]',
        'lose, double and delay deliveries, and kill processes; a seed that was told strikes alike again (default: one is drawn)',
      ).argParser(wholeNumber(0, mostSeed)),
    )
    .addOption(
      new Option('--for <time>', 'stop by itself after this time, such as 90s or 5m, and audit').argParser(
        span,
      ),
    )
    .option('--json', 'print events as JSON lines; under --for the last one is the audit', false)
    .addHelpText(
      'after',
      `
Examples:
  npm start
  npm start -- --instances 3 --ephemeral --for 130s
  npm start -- --chaos --for 15m
  npm start -- --jobs ~/my-jobs --data ~/my-ledger`,
    )
    .parse(words, { from: 'user' });
  const { for: forMs, chaos, ...options } = command.opts();
  const chaosSeed = chaos === true ? randomInt(mostSeed) : chaos;
  return {
    ...options,
    ...(forMs === undefined ? {} : { forMs }),
    ...(chaosSeed === undefined ? {} : { chaosSeed }),
  } as StartOptions;
}

export function wasTold(error: unknown): error is CommanderError {
  return error instanceof CommanderError;
}

function portNumber(text: string): number {
  return wholeNumber(0, 65_535)(text);
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Allowed is a whole number from ${least} to ${most}.`);
  };
}

const shortUnits: Readonly<Record<string, string>> = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days' };

/** `90s`, `5m`, or as everywhere else: `90 seconds`. */
function span(text: string): number {
  const [, count, unit = ''] = /^(\d+)\s*([smhd])$/.exec(text) ?? [];
  try {
    const ms = parseDuration(count === undefined ? text : `${count} ${shortUnits[unit]}`, '--for');
    if (ms >= second) return ms;
  } catch {
    // Told below, in the words of the command line.
  }
  throw new InvalidArgumentError('Allowed is a time of at least a second, such as 90s, 5m or 2h.');
}
