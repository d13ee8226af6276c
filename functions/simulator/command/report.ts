import type { Look } from '../../cli/render/look.ts';
import { tableText } from '../../cli/render/table.ts';
import { counted } from '../../cli/render/text.ts';
import { spanText } from '../../cli/render/times.ts';
import { day } from '../../domain/time.ts';
import { type FaultName, faultNames } from '../faults.ts';
import type { Invariant } from '../observe.ts';
import { type Case, planText } from './case.ts';
import type { Summary } from './summary.ts';

export interface Surroundings {
  readonly look: Look;
  readonly invariants: readonly Invariant[];
  readonly tookMs: number;
  readonly workers: number;
}

/** What came of a run of many seeds. `findings`: of the broken promises, just above the verdict. */
export function reportText(
  summary: Summary,
  findings: readonly string[],
  surroundings: Surroundings,
): string {
  return [
    countsText(summary, surroundings),
    faultsText(summary, surroundings.look),
    checkedText(summary, surroundings),
    ...findings,
    verdictText(summary, surroundings.look),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** `Seeds 7 to 106, 30 days each, faults drawn from all 44` */
export function headline(
  seeds: readonly number[],
  { days, faults, plan }: Pick<Case, 'days' | 'faults' | 'plan'>,
): string {
  const [first, last] = [seeds[0], seeds.at(-1)];
  const which = seeds.length === 1 ? `Seed ${first}` : `Seeds ${first} to ${last}`;
  const each = seeds.length === 1 ? '' : ' each';
  return [
    `${which}, ${counted(days, 'day')}${each}`,
    ...(plan?.enabled === undefined ? [drawnFrom(faults)] : []),
    ...(plan === undefined ? [] : [`by the plan ${planText(plan)}`]),
  ].join(', ');
}

function drawnFrom(faults: readonly FaultName[]): string {
  if (faults.length === 0) return 'without faults';
  if (faults.length === faultNames.length) return `faults drawn from all ${faultNames.length}`;
  return `faults drawn from ${faults.join(', ')}`;
}

function countsText(summary: Summary, { tookMs, workers }: Surroundings): string {
  const { seeds, days } = summary;
  const simulatedMs = seeds * days * day;
  const times = Math.round(simulatedMs / Math.max(1, tookMs)).toLocaleString('en-US');
  return [
    countsLine(summary),
    `${spanText(simulatedMs)} went by in ${spanText(tookMs)} on ${counted(workers, 'worker')}: ${times} times as fast as the clock`,
  ].join('\n');
}

/** `1,200 fires, 1,310 deliveries, 1,222 executions of job code` */
export function countsLine({
  fires,
  deliveries,
  bodies,
}: Pick<Summary, 'fires' | 'deliveries' | 'bodies'>): string {
  return `${counted(fires, 'fire')}, ${deliveriesText(deliveries)}, ${counted(bodies, 'execution')} of job code`;
}

export function deliveriesText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'delivery' : 'deliveries'}`;
}

function faultsText(summary: Summary, look: Look): string {
  return [faultTableText(summary, look), waitingText(summary, look)].filter((part) => part !== '').join('\n');
}

const mostColumns = 3;
/** Of a fault's name and its count, with the gaps beside them. */
const columnWidth = 34;

/** Names and counts, in as many columns as there is room for, to be read downwards. */
function faultTableText({ faults }: Summary, look: Look): string {
  const struck = Object.entries(faults).map(([name, count]) => ({
    name,
    count: count.toLocaleString('en-US'),
  }));
  if (struck.length === 0) return '';
  const widest = Math.max(...struck.map(({ count }) => count.length), 'STRUCK'.length);
  const cells = struck.map(({ name, count }) => {
    const text = count.padStart(widest);
    return [name, count === '0' ? look.colors.yellow(text) : text];
  });
  const columns = Math.min(mostColumns, Math.max(1, Math.floor(look.width / columnWidth)));
  const height = Math.ceil(struck.length / columns);
  const each = <T>(of: (column: number) => T[]) =>
    Array.from({ length: columns }, (_, column) => of(column)).flat();
  const rows = Array.from({ length: height }, (_, row) => ({
    cells: each((column) => cells[row + column * height] ?? ['', '']),
  }));
  return tableText(
    each(() => ['FAULT', 'STRUCK'.padStart(widest)]),
    rows,
    { look },
  );
}

const mostNamed = 5;

function waitingText({ seedsToTell, neverStruck, dead, seeds }: Summary, { colors }: Look): string {
  const waiting = neverStruck.filter((name) => !dead.includes(name));
  if (waiting.length === 0) return '';
  const which = waiting.length > mostNamed ? `${waiting.length} faults` : waiting.join(', ');
  return colors.dim(
    `${which} never struck. That is an error from ${counted(seedsToTell, 'seed')} of this length on; these were ${seeds}.`,
  );
}

function checkedText({ violations }: Summary, { invariants, look }: Surroundings): string {
  const broken = new Set(violations.map(({ invariant }) => invariant));
  const { green, red } = look.colors;
  const rows = invariants.map(({ name, rule }) => ({
    cells: [`${broken.has(name) ? red('✗') : green('✓')} ${name}`, rule],
  }));
  return rows.length === 0 ? '' : tableText(['CHECKED', 'RULE'], rows, { look, wraps: ['RULE'] });
}

function verdictText({ violations, dead, hash, seeds }: Summary, { colors }: Look): string {
  const seedsBroken = new Set(violations.map(({ seed }) => seed)).size;
  const promises =
    violations.length === 0
      ? colors.green('✓ 0 promises broken')
      : colors.red(
          `✗ broken promises in ${counted(seedsBroken, 'seed')} of ${seeds.toLocaleString('en-US')}`,
        );
  const faults = dead.map((name) =>
    colors.red(`✗ ${name} never struck, in as many seeds as let it: what it would break is not tested`),
  );
  return [promises, ...faults, colors.dim(`hash ${hash}`)].join('\n');
}
