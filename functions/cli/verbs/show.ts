import type { Command } from 'commander';
import { printable } from '../../catalog/problem.ts';
import type { Action } from '../../domain/action.ts';
import type { Bill } from '../../domain/bill.ts';
import type { Ledger } from '../../domain/ledger.ts';
import { runId } from '../../domain/names.ts';
import type { Attempt, Run } from '../../domain/run.ts';
import type { StepRecord } from '../../domain/steps.ts';
import { type ExitCode, exitCodes, type Io, writeJson } from '../io.ts';
import type { KnownJob } from '../known-jobs.ts';
import { type LedgerOptions, withLedgerOptions } from '../ledger-options.ts';
import { usingLedger } from '../open-ledger.ts';
import { authorsStack } from '../render/authors-stack.ts';
import { billText } from '../render/bill-words.ts';
import { type Look, stateText } from '../render/look.ts';
import { runJson } from '../render/run-json.ts';
import { lateText, progressText, whereToAsk, why } from '../render/run-words.ts';
import { stepsJson, stepsText } from '../render/step-rows.ts';
import { tableText } from '../render/table.ts';
import { counted, oneLine } from '../render/text.ts';
import { timelineOf } from '../render/timeline.ts';
import { agoText, localText, preciseText, spanText } from '../render/times.ts';
import { wantedText } from '../render/wanted-words.ts';
import { findRun } from '../run-argument.ts';
import { collected } from '../runs-around.ts';

export function addShow(fl: Command, io: Io, exit: (code: ExitCode) => void): void {
  withLedgerOptions(fl.command('show'))
    .description('everything about one run: attempts, lease, timeline; ends with 2 when it is parked')
    .argument('<run>', 'JOB#TIME, or JOB')
    .argument(
      '[time]',
      'when it was due, in UTC (…Z) or in the job’s zone; 05:00 is today’s (default: the newest run)',
    )
    .addHelpText(
      'after',
      `
Examples:
  fl show billing/send-invoices
  fl show billing/send-invoices#2026-12-01T05:00:00Z
  fl show billing/send-invoices 2026-12-01T06:00
  fl show billing/send-invoices 2026-12-01T06:00 --json`,
    )
    .action((name: string, time: string | undefined, options: LedgerOptions) =>
      usingLedger(options, 'show', async (open) => {
        const { run, job } = await findRun(open, [name, time], { now: io.now(), orNewest: true });
        const [steps, actions] = await Promise.all([
          open.ledger.steps(run),
          actionsOn(open.ledger, run, io.now()),
        ]);
        if (options.json) await writeJson(io, { ...runJson(run), steps: stepsJson(steps) });
        else await io.write(`${showText(run, job, { steps, actions, look: io.look, now: io.now() })}\n`);
        exit(run.state === 'parked' ? exitCodes.needsPerson : exitCodes.fine);
      }),
    );
}

/** What people did to it, as the log has it. */
async function actionsOn(
  ledger: Ledger,
  { jobId, key, createdAt, settledAt }: Run,
  now: number,
): Promise<Action[]> {
  const range = { from: createdAt, to: settledAt ?? now };
  const all = await collected(ledger.actions(range));
  return all.filter((action) => action.jobId === jobId && action.run === key);
}

export function showText(
  run: Run,
  job: Pick<KnownJob, 'timezone' | 'attempts'>,
  {
    steps = [],
    actions = [],
    look,
    now,
  }: { steps?: readonly StepRecord[]; actions?: readonly Action[]; look: Look; now: number },
): string {
  const { timezone } = job;
  const stepLines = stepsText(run, steps, { timezone, look });
  const because = why(run, job);
  const facts: (readonly [string, string] | null)[] = [
    ['state', stateText(run.state, look)],
    because === '' ? null : ['why', because],
    run.state === 'waiting' ? ['see', whereToAsk(run)] : null,
    waitedFact(run),
    [run.trigger === 'manual' ? 'works for' : 'due', `${localText(run.fireTime, timezone)} (${timezone})`],
    ['trigger', run.trigger],
    ['late by', lateText(run)],
    run.state === 'running' ? ['lease', leaseText(run, { timezone, now })] : null,
    ['duplicates', `${run.duplicates} refused`],
    run.covers?.length ? ['covers', run.covers.map((fire) => localText(fire, timezone)).join(', ')] : null,
    progressFact(run, now),
    run.failures === undefined ? null : ['failures', counted(run.failures, 'attempt')],
    run.crashes === 0 ? null : ['crashes', String(run.crashes)],
    run.restarts === undefined ? null : ['begun anew', `${run.restarts}x`],
    hopsFact(run),
    run.reoffers === 0 ? null : ['offered anew', `${run.reoffers}x`],
    resultFact(run),
    run.input === undefined ? null : ['input', oneLine(JSON.stringify(run.input))],
  ];
  const lines = facts.flatMap((fact) => (fact === null ? [] : [`  ${fact[0].padEnd(12)}  ${fact[1]}`]));
  const parts = [
    look.colors.bold(runId(run)),
    lines.join('\n'),
    run.attempts.length === 0 ? '' : `\n${attemptsText(run, { timezone, look })}`,
    stepLines === '' ? '' : `\n${stepLines}`,
    `\n${tableText(['TIME', 'WHAT HAPPENED'], timelineRows(run, { actions, timezone }), { look, wraps: ['WHAT HAPPENED'] })}`,
    stackText(run.error?.stack, look),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** What it has waited for, all in all. */
function waitedFact({ waits = [] }: Run): readonly [string, string] | null {
  const parts = waits.map((wait) => `${spanText(wait.until - wait.from)} for ${wantedText(wait)}`);
  return parts.length === 0 ? null : ['waited', parts.join(', then ')];
}

function leaseText(run: Run, { timezone, now }: { timezone: string; now: number }): string {
  const until = run.attempts.at(-1)?.leaseUntil;
  if (until === undefined) return '-';
  const left = until > now ? `${spanText(until - now)} left` : 'over; the next sweep settles it';
  return `until ${localText(until, timezone)} (${left}): until then its process may be alive`;
}

function progressFact({ progress }: Run, now: number): readonly [string, string] | null {
  if (progress === undefined) return null;
  return ['progress', `${progressText(progress)}; said ${agoText(progress.at, now)}`];
}

function hopsFact({ hops, cursor }: Run): readonly [string, string] | null {
  if (hops === undefined) return null;
  const from =
    cursor === undefined ? '' : `, the last from ${oneLine(JSON.stringify(cursor)).slice(0, mostShown)}`;
  return ['hops', `${hops}${from}`];
}

const mostShown = 200;

function resultFact(run: Run): readonly [string, string] | null {
  if (run.resultTrimmed !== undefined) {
    const { bytes, text } = run.resultTrimmed;
    return [
      'result',
      `${oneLine(text.slice(0, mostShown))}… (trimmed: ${bytes.toLocaleString('en-US')} bytes)`,
    ];
  }
  return run.result === undefined ? null : ['result', oneLine(JSON.stringify(run.result))];
}

function attemptsText(run: Run, { timezone, look }: { timezone: string; look: Look }): string {
  const rows = run.attempts.map((attempt) => {
    const { number, startedAt, outcome, pid, requestId, bill } = attempt;
    return {
      ...noteOf(bill),
      cells: [
        String(number),
        preciseText(startedAt, timezone),
        tookText(attempt),
        outcome ?? 'not settled',
        String(pid),
        oneLine(requestId),
      ],
    };
  });
  return tableText(['ATTEMPT', 'STARTED', 'TOOK', 'OUTCOME', 'PID', 'REQUEST'], rows, { look });
}

/** Of one that crashed: no longer than until somebody told of its death, or its lease had ended. */
function tookText({ startedAt, settledAt, outcome, suspected }: Attempt): string {
  if (settledAt === undefined) return '-';
  if (outcome !== 'crashed') return spanText(settledAt - startedAt);
  return `at most ${spanText((suspected?.at ?? settledAt) - startedAt)}`;
}

function noteOf(bill: Bill | undefined): { note?: string } {
  const note = bill === undefined ? '' : billText(bill);
  return note === '' ? {} : { note };
}

function timelineRows(run: Run, of: Parameters<typeof timelineOf>[1]) {
  return timelineOf(run, of).map(({ at, what }) => ({ cells: [preciseText(at, of.timezone), what] }));
}

function stackText(stack: string | undefined, look: Look): string {
  const own = stack === undefined ? '' : authorsStack(stack);
  return own === '' ? '' : `\n${look.colors.dim(printable(own).replace(/^/gm, '  '))}`;
}
