import {
  type Doubt,
  isBillToCome,
  type Suspect,
  type Together,
  type Verdict,
} from '../../domain/contention/blame.ts';
import type { Shared } from '../../domain/contention/overlap.ts';
import type { Unusual } from '../../domain/contention/unusual.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { amountText, bytesText, percentText, timesText } from './amounts.ts';
import { counted, named, oneLine } from './text.ts';
import { spanText } from './times.ts';

const mostNamed = 3;
/** Of fewer earlier runs it says nothing how they came out. */
const fewestCounted = 2;

const doubts: Record<Exclude<Doubt, 'not-all-measured'>, string> = {
  alone: 'no other run was alive while it was',
  'nothing-in-common':
    'none of the runs beside it has a pool, or anything metered by ctx.meter, in common with it',
  'nothing-measured':
    'what the runs beside it used of what they share was not measured; declare it in the jobs by ctx.meter',
  'no-margin':
    'no run beside it used at least half of what they share, and twice as much as it and any other',
  'usual-company': 'who used the most used no more than usual, and beside it this job has mostly succeeded',
};

/** Who is to blame, and the numbers that say so; or that nobody can tell, and why. */
export function verdictSentences(verdict: Verdict): string[] {
  if (verdict.kind === 'itself') return [itselfSentence(verdict.shared)];
  const { suspect } = verdict;
  if (verdict.kind === 'culprit')
    return [
      `Most likely ${runId(verdict.suspect.run)}: ${useText(verdict.suspect)}.`,
      ...backing(verdict.suspect),
    ];
  const { because, unmeasured } = verdict;
  return [
    because === 'not-all-measured' ? unmeasuredSentence(unmeasured) : `Can't tell: ${doubts[because]}.`,
    ...(suspect === null
      ? []
      : [`${runId(suspect.run)} used the most that is known of: ${useText(suspect)}.`]),
    ...(suspect !== null && because === 'usual-company' ? backing(suspect) : []),
  ];
}

function unmeasuredSentence(unmeasured: readonly Run[]): string {
  const canAskAgain = unmeasured.every(isBillToCome);
  return `Can't tell${canAskAgain ? ' yet' : ''}: ${unmeasuredText(unmeasured)}${canAskAgain ? '; ask again then' : ''}.`;
}

/** `reports/heavy#… still runs (its bill is written when it ends); reports/light#… has no bill, …` */
export function unmeasuredText(unmeasured: readonly Run[]): string {
  const running = unmeasured.filter(isBillToCome);
  const others = unmeasured.filter((run) => !isBillToCome(run));
  const still = running.length === 1 ? 'still runs (its' : 'still run (each';
  return [
    ...(running.length === 0 ? [] : [`${namedRuns(running)} ${still} bill is written when it ends)`]),
    ...(others.length === 0
      ? []
      : [
          `${namedRuns(others)} ${others.length === 1 ? 'has' : 'have'} no bill, so nobody knows what was used`,
        ]),
  ].join('; ');
}

function namedRuns(runs: readonly Run[]): string {
  return named(runs.map(runId), mostNamed);
}

/** `94 % of the reads of reports-db while this run was alive, 42,000 of 44,600; its own were 2,600` */
function useText({ amount, share, shared }: Suspect): string {
  const { own, used, total } = shared;
  const next = used[1];
  const parts = [
    `its own were ${own === null ? 'not measured' : amountText(own)}`,
    ...(next === undefined ? [] : [`the next, ${runId(next.run)}, had ${amountText(next.amount)}`]),
  ];
  return `${percentText(share)} of ${whatText(shared)} while this run was alive, ${amountText(amount)} of ${amountText(total)}; ${parts.join('; ')}`;
}

function itselfSentence(shared: Shared): string {
  const { own, total } = shared;
  const share =
    own === null
      ? ''
      : `${percentText(own / total)} of ${whatText(shared)} while it was alive, ${amountText(own)} of ${amountText(total)}`;
  return `No other run: it had ${share} itself.`;
}

function whatText({ name, unit }: Pick<Shared, 'name' | 'unit'>): string {
  return `the ${oneLine(unit)} of ${oneLine(name)}`;
}

function backing({ run, unusual, together }: Suspect): string[] {
  return [
    ...(unusual === null ? [] : [`In all it had ${unusualText(unusual)}.`]),
    ...(together === null ? [] : togetherSentences(together, run.jobId)),
  ];
}

/** `2 of this job's last 30 runs overlapped one of reports/daily-sales: 2 failed. Of the other 28: none.` */
function togetherSentences(
  { beside, besideFailed, without, withoutFailed }: Together,
  jobId: string,
): string[] {
  const all = beside + without;
  if (all < fewestCounted) return [];
  const none = (count: number) => (count === 0 ? 'none' : String(count));
  if (beside === 0)
    return [
      `None of this job's last ${counted(all, 'run')} overlapped one of ${jobId}; ${none(withoutFailed)} of them failed.`,
    ];
  const others = without === 0 ? '' : ` Of the other ${without}: ${none(withoutFailed)}.`;
  return [
    `${beside} of this job's last ${counted(all, 'run')} overlapped one of ${jobId}: ${none(besideFailed)} failed.${others}`,
  ];
}

/** `84,000 reads of reports-db, 14 times the median of its job's last 30 successes (6,000)` */
export function unusualText({ quantity, value, median, samples }: Unusual): string {
  const text = quantityText(quantity);
  const what =
    quantity.of === 'metered'
      ? ` ${oneLine(quantity.unit)} of ${oneLine(quantity.name)}`
      : words[quantity.of];
  const before = `its job's last ${samples} successes`;
  return median === 0
    ? `${text(value)}${what}; of ${before} at least half had none`
    : `${text(value)}${what}, ${timesText(value / median)} the median of ${before} (${text(median)})`;
}

const words = {
  duration: ' of running',
  wait: ' of waiting',
  cpu: ' of CPU',
  bytes: ' read, written and sent',
} as const;

function quantityText({ of }: Unusual['quantity']): (value: number) => string {
  if (of === 'metered') return amountText;
  return of === 'bytes' ? bytesText : spanText;
}
