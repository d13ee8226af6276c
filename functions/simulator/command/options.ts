import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Look } from '../../cli/render/look.ts';
import { tableText } from '../../cli/render/table.ts';
import { parseRunId } from '../../domain/names.ts';
import { type FaultName, type FaultPlan, faultNames, faultTable } from '../faults.ts';
import { parsePlan } from './case.ts';
import { listOf, wholeIn } from './lists.ts';

interface Common {
  readonly days: number;
  /** Those that seeds may draw from. */
  readonly faults: readonly FaultName[];
  readonly json: boolean;
  readonly workers: number;
}

/** Simulate one seed after the other. */
export interface SeedsRequest extends Common {
  readonly kind: 'seeds';
  readonly seeds: readonly number[];
}

/** Simulate one seed once more, and tell what happened. */
export interface ReplayRequest extends Common {
  readonly kind: 'replay';
  readonly seed: number;
  readonly plan?: Partial<FaultPlan>;
  readonly mutant?: string;
  /** The id of the only run that is to be told of. */
  readonly trace?: string;
}

/** See which seed catches each mutant. */
export interface MutantsRequest extends Common {
  readonly kind: 'mutants';
  readonly seeds: readonly number[];
  readonly mutants: readonly string[];
}

export type Request = SeedsRequest | ReplayRequest | MutantsRequest;

interface Given extends Omit<Common, 'days'> {
  readonly days?: number;
  readonly seed?: number;
  readonly seeds?: number;
  readonly mutants?: readonly string[] | true;
  readonly replay?: number;
  readonly trace?: string;
  readonly plan?: Partial<FaultPlan>;
}

const greatestSeed = 2 ** 32 - 1;
const mostSeeds = 1_000_000;
/** A seed that is drawn is one that people can type. */
const drawnBelow = 1_000_000;
const defaults: Range = { seed: () => randomInt(1, drawnBelow), seeds: 20, days: 3 };
const mutantDefaults: Range = { seed: () => 1, seeds: 50, days: 7 };

/**
 * Reads the command line.
 *
 * @throws CommanderError, already told, when it can't be read or asked for help
 */
export function readOptions(
  words: readonly string[],
  { mutants, look }: { mutants: readonly string[]; look: Look },
): Request {
  const command = simulateCommand(mutants).addHelpText('after', () => helpText(look));
  const given = command.parse(words, { from: 'user' }).opts<Given>();
  const wrong = contradiction(given);
  if (wrong !== null) command.error(`error: ${wrong}`);
  return requestOf(given, mutants);
}

/** The options, unread. */
export function simulateCommand(mutants: readonly string[]): Command {
  return new Command('npm run simulate --')
    .description(
      'The whole system in virtual time, with faults: the real code, a modelled world. A seed determines all that happens; every promise is checked at every step.',
    )
    .exitOverride()
    .showHelpAfterError('(npm run simulate -- --help lists options and faults)')
    .addOption(
      new Option('--days <count>', `days of each seed (default: 3; of mutants: 7)`).argParser(
        wholeIn(1, 3_650),
      ),
    )
    .addOption(
      new Option('--seed <number>', 'the first seed (default: drawn, and told; of mutants: 1)').argParser(
        wholeIn(0, greatestSeed),
      ),
    )
    .addOption(
      new Option('--seeds <count>', 'how many seeds (default: 20; of mutants: at most 50)').argParser(
        wholeIn(1, mostSeeds),
      ),
    )
    .addOption(
      new Option('--faults <names>', 'all, none, or names between commas: each seed draws from them')
        .argParser(faultsOf)
        .default(faultNames, 'all'),
    )
    .addOption(new Option('--replay <seed>', 'one seed again, told').argParser(wholeIn(0, greatestSeed)))
    .addOption(
      new Option(
        '--trace <fire>',
        'with --replay: tell only of this run, as billing/close-month#2026-12-01T05:00:00Z',
      ).argParser(runOf),
    )
    .addOption(
      new Option(
        '--plan <plan>',
        'with --replay: only these faults, and only these of their strikes',
      ).argParser(parsePlan),
    )
    .addOption(
      new Option(
        '--mutants [names]',
        'break the code in known ways, all or those named: is each caught?',
      ).argParser((text) => listOf(text, mutants, 'Mutants')),
    )
    .addOption(
      new Option('--workers <count>', 'processes to simulate in')
        .argParser(wholeIn(1, 64))
        .default(availableParallelism(), 'one for each core'),
    )
    .option('--json', 'print one JSON object', false);
}

function faultsOf(text: string): readonly FaultName[] {
  if (text === 'all') return faultNames;
  return text === 'none' ? [] : listOf(text, faultNames, 'Faults');
}

function runOf(text: string): string {
  if (parseRunId(text) !== null) return text;
  throw new InvalidArgumentError(
    'A fire is a job and a time, such as billing/close-month#2026-12-01T05:00:00Z.',
  );
}

function contradiction({ replay, trace, plan, mutants, seed, seeds }: Given): string | null {
  if (replay === undefined) {
    if (trace !== undefined) return "option '--trace' needs --replay";
    return plan === undefined ? null : "option '--plan' needs --replay";
  }
  if (seed !== undefined || seeds !== undefined)
    return "option '--replay' names its one seed: leave out --seed and --seeds";
  if (mutants === true || (mutants !== undefined && mutants.length > 1))
    return "option '--replay' takes one mutant: --mutants NAME";
  return null;
}

function requestOf(given: Given, allMutants: readonly string[]): Request {
  const { faults, json, workers, mutants } = given;
  const common = { faults, json, workers };
  if (given.replay !== undefined) return { ...common, ...replayOf(given, given.replay) };
  if (mutants === undefined) return { kind: 'seeds', ...common, ...rangeOf(given, defaults) };
  return {
    kind: 'mutants',
    mutants: mutants === true ? allMutants : mutants,
    ...common,
    ...rangeOf(given, mutantDefaults),
  };
}

function replayOf({ days = defaults.days, trace, plan, mutants }: Given, seed: number) {
  const [mutant] = mutants === true ? [] : (mutants ?? []);
  return {
    kind: 'replay' as const,
    seed,
    days,
    ...(plan === undefined ? {} : { plan }),
    ...(mutant === undefined ? {} : { mutant }),
    ...(trace === undefined ? {} : { trace }),
  };
}

interface Range {
  readonly seed: () => number;
  readonly seeds: number;
  readonly days: number;
}

function rangeOf({ seed, seeds, days }: Given, unlessSaid: Range) {
  return {
    days: days ?? unlessSaid.days,
    seeds: seedsFrom(seed ?? unlessSaid.seed(), seeds ?? unlessSaid.seeds),
  };
}

function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => (first + index) % (greatestSeed + 1));
}

function helpText(look: Look): string {
  const rows = faultNames.map((name) => ({ cells: [`  ${name}`, faultTable[name].what] }));
  return `
Examples:
  npm run simulate
  npm run simulate -- --days 30 --seed 7 --seeds 100
  npm run simulate -- --faults lost-answer,clock-skew --seeds 50
  npm run simulate -- --mutants

Faults:
${tableText(['  NAME', 'WHAT GOES WRONG'], rows, { look, wraps: ['WHAT GOES WRONG'] })}`;
}
