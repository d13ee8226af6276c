import { isBillToCome } from '../../domain/contention/blame.ts';
import { weightIn } from '../../domain/contention/holding.ts';
import { shareHeld } from '../../domain/contention/overlap.ts';
import { runId } from '../../domain/names.ts';
import type { Attempt, Run } from '../../domain/run.ts';
import type { Explanation } from '../explanation.ts';
import type { KnownJob } from '../known-jobs.ts';
import { amountText, percentText } from './amounts.ts';
import { unmeasuredText, unusualText, verdictSentences } from './blame-words.ts';
import { type Look, stateText } from './look.ts';
import { why } from './run-words.ts';
import { tableText } from './table.ts';
import { counted, oneLine } from './text.ts';
import { clockWithin, localText, spanText } from './times.ts';
import { lateSentences, outlookSentences, waitSentences } from './wait-words.ts';
import { wrapped } from './wrapped.ts';

interface Surroundings {
  readonly job: Pick<KnownJob, 'timezone' | 'attempts'>;
  readonly look: Look;
}

/** What became of a run and, in sentences, why; the most likely culprit first. */
export function whyText(explanation: Explanation, { job, look }: Surroundings): string {
  const { run } = explanation;
  const lines = whyFacts(explanation, job).flatMap(([label, sentences]) => factLines(label, sentences, look));
  const table = besideTable(explanation, look);
  const heading = `${look.colors.bold(runId(run))}  ${stateText(run.state, look)}`;
  return [heading, lines.join('\n'), ...(table === '' ? [] : ['', table])].join('\n');
}

/** The same without what stands beside it: each fact with its label and its sentences, of which there may be none. */
export function whyFacts(explanation: Explanation, job: Surroundings['job']): [string, string[]][] {
  const { run, verdict, waits, outlook, unusual, now } = explanation;
  const at = { timezone: job.timezone, now };
  return [
    ['outcome', outcomeSentences(run, job)],
    ['culprit', verdict === null ? [] : verdictSentences(verdict)],
    ['skipped', skippedSentences(explanation)],
    ['waited', waitSentences(waits, at)],
    ['now', outlook === null ? [] : outlookSentences(outlook, at)],
    ['late', lateSentences(run, waits)],
    ['ran again', againSentences(run)],
    ['went on', hopSentences(run)],
    ['unusual', unusual.map((one) => `It had ${unusualText(one)}.`)],
    ['beside it', besideSentences(explanation)],
  ];
}

const labelWidth = 13;

function factLines(label: string, sentences: readonly string[], look: Look): string[] {
  const indent = ' '.repeat(labelWidth);
  const lines = sentences.flatMap((sentence) => wrapped(sentence, look.width, indent));
  const tint = label === 'culprit' ? look.colors.yellow : (text: string) => text;
  return lines.map((line, index) => {
    const start = index === 0 ? look.colors.dim(`  ${label}`.padEnd(labelWidth)) : indent;
    return start + tint(line.slice(labelWidth));
  });
}

function outcomeSentences(run: Run, job: Surroundings['job']): string[] {
  const because = why(run, job);
  return [
    `${run.trigger === 'manual' ? 'It works for' : 'It was due'} ${localText(run.fireTime, job.timezone)}${ranText(run, job.timezone)}.`,
    ...(because === '' ? [] : [`${because}.`]),
  ];
}

function ranText({ attempts, state, settledAt = 0 }: Run, timezone: string): string {
  const last = attempts.at(-1);
  if (last === undefined) return settledAt === 0 ? '' : ' and never ran';
  const clock = clockWithin({ from: last.startedAt, until: last.settledAt ?? last.startedAt }, timezone);
  const began = attempts.length === 1 ? 'ran' : `ran in ${attempts.length} attempts, the last`;
  if (last.outcome === 'crashed') return ` and ${began} from ${crashedText(last, timezone)}`;
  if (last.settledAt !== undefined)
    return ` and ${began} ${clock(last.startedAt)}–${clock(last.settledAt)}, ${spanText(last.settledAt - last.startedAt)}`;
  return state === 'running' ? ` and has been running since ${clock(last.startedAt)}` : '';
}

/** Its lease ends long after its process, of whose death somebody may have told. */
function crashedText(
  { startedAt, leaseUntil, settledAt = leaseUntil, suspected }: Attempt,
  timezone: string,
): string {
  const clock = clockWithin({ from: startedAt, until: settledAt }, timezone);
  const lease = `its lease was over at ${clock(leaseUntil)}`;
  return suspected === undefined
    ? `${clock(startedAt)}; ${lease}, and its process had died before`
    : `${clock(startedAt)}; its process had died by ${clock(suspected.at)}, within ${spanText(suspected.at - startedAt)}; ${lease}`;
}

function skippedSentences({ slotHeldBy }: Explanation): string[] {
  return slotHeldBy.slice(0, 1).map(({ run }) => `${runId(run)} had the slot of its job.`);
}

function againSentences(run: Run): string[] {
  const { attempts, reoffers, released } = run;
  const again = attempts
    .slice(0, -1)
    .filter(({ outcome }) => outcome !== 'continued')
    .map(
      (attempt) => `Attempt ${attempt.number} ${endText(attempt)}; then it was ${againText(attempt, run)}.`,
    );
  return [
    ...again,
    ...(released?.as === 'rerun' ? [`${oneLine(released.by)} released it to run again.`] : []),
    ...(reoffers === 0
      ? []
      : [`Its offer was made anew ${counted(reoffers, 'time')}, since nothing had taken it.`]),
  ];
}

/** A crash that its job has begun anew is counted; one that is resumed, as a retry, keeps the steps that were done. */
function againText(
  { number, outcome, settledAt = 0 }: Attempt,
  { restarts, released, attempts }: Run,
): string {
  const next = attempts[number];
  const isReleased = released && released.at >= settledAt && released.at <= (next?.startedAt ?? 0);
  if (isReleased) return `parked, and ${oneLine(released.by)} released it`;
  if (outcome !== 'crashed') return 'tried again';
  return restarts === undefined ? 'resumed' : 'run again';
}

function hopSentences({ hops }: Run): string[] {
  return hops === undefined
    ? []
    : [`It went on in another attempt ${counted(hops, 'time')}, as its code asked.`];
}

function endText({ outcome, startedAt, settledAt }: Attempt): string {
  if (outcome === 'crashed') return 'crashed: its lease ended, and it had not settled';
  return settledAt === undefined
    ? 'has not settled'
    : `${outcome ?? 'ended'} after ${spanText(settledAt - startedAt)}`;
}

function besideSentences({ run, overlaps }: Explanation): string[] {
  if (run.attempts.length === 0) return [];
  if (overlaps.length === 0) return ['No other run was alive while it was.'];
  const sharing = overlaps.filter(({ inCommon }) => inCommon.length > 0).length;
  const what = 'a pool or something metered with it';
  const unknown = overlaps.filter(({ mayShare }) => mayShare).map((one) => one.run);
  if (unknown.length > 0)
    return [
      `${counted(overlaps.length, 'run')} overlapped it; ${sharing === 0 ? 'of none' : `of ${sharing}`} it is known that it shares ${what}.`,
      `${unknownText(run, unknown)}.`,
    ];
  if (overlaps.length === 1)
    return [
      `1 run overlapped it, and shares ${sharing === 1 ? what : 'no pool and nothing metered with it'}.`,
    ];
  return [
    `${counted(overlaps.length, 'run')} overlapped it; ${sharing === 0 ? 'none' : sharing} of them ${sharing > 1 ? 'share' : 'shares'} ${what}.`,
  ];
}

/** Whose bill is lacking: that of those beside it, or its own. */
function unknownText(run: Run, unknown: readonly Run[]): string {
  const unmeasured = unknown.filter(({ attempts }) => attempts.some(({ bill }) => bill === undefined));
  const lacking = unmeasured.length > 0 ? unmeasured : [run];
  return `What ${unknown.length === 1 ? 'the other has' : 'the others have'} in common with it can't be told${lacking.every(isBillToCome) ? ' yet' : ''}: ${unmeasuredText(lacking)}`;
}

const mostShown = 10;

function besideTable({ run, overlaps, shared, capacities, now }: Explanation, look: Look): string {
  if (overlaps.length === 0) return '';
  const isHeld = (pool: string) =>
    [run, ...overlaps.map((one) => one.run)].some((one) => weightIn(one, pool) > 0);
  const pools = [...capacities].filter(([pool]) => isHeld(pool));
  const head = [
    'BESIDE IT',
    'TOGETHER',
    ...pools.map(([pool]) => `HELD OF ${oneLine(pool)}`),
    ...shared.map(({ name, unit }) => `${oneLine(unit).toUpperCase()} OF ${oneLine(name)}`),
  ];
  const isAllKnown = overlaps.every((one) => !one.isUnmeasured);
  const heldOf = (other: Run) =>
    pools.map(([pool, capacity]) => partText(shareHeld(run, other, { pool, capacity, now })));
  const rows = overlaps.slice(0, mostShown).map(({ run: other, ms, isUnmeasured }) => ({
    cells: [
      runId(other),
      spanText(ms),
      ...heldOf(other),
      ...shared.map(({ used, total }) => {
        const amount = used.find((one) => one.run === other)?.amount;
        return useText(amount ?? (isUnmeasured ? null : 0), isAllKnown ? total : null);
      }),
    ],
  }));
  const itself = shared.map((of) => useText(of.own, isAllKnown ? of.total : null));
  const own = { cells: ['(itself)', '', ...heldOf(run), ...itself] };
  const more = overlaps.length - rows.length;
  const table = tableText(head, [...rows, own], { look });
  return more > 0
    ? `${table}\n${look.colors.dim(`and ${counted(more, 'run')} more (--json names all)`)}`
    : table;
}

/** `42,000 (94 %)`; nothing for none, `?` where nobody knows. `total` null: nobody knows what it is a part of. */
function useText(amount: number | null, total: number | null): string {
  if (amount === null) return '?';
  if (amount === 0) return '';
  return total === null ? amountText(amount) : `${amountText(amount)} (${percentText(amount / total)})`;
}

function partText(part: number): string {
  return part === 0 ? '' : percentText(part);
}
