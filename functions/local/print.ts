import type { Look } from '../cli/render/look.ts';
import { tableText } from '../cli/render/table.ts';
import { counted, oneLine } from '../cli/render/text.ts';
import { shortWallText, spanText } from '../cli/render/times.ts';
import { type Audit, isClean } from '../domain/audit.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { fireTimeOf, parseRunId } from '../domain/names.ts';
import { openStates, type Run, terminalStates } from '../domain/run.ts';
import { timetable } from '../domain/schedule/index.ts';
import { inWords } from '../domain/schedule-words.ts';
import type { SweepCounts } from '../reconciler/ports.ts';
import type { Handled } from '../runtime/runtime.ts';
import { chaosText, strikeText } from './chaos-words.ts';
import type { ChaosReport } from './disturb.ts';
import type { CloudEvent } from './events.ts';
import type { FinalAudit } from './final-audit.ts';
import { logText } from './log-line.ts';

export interface Header {
  readonly jobs: readonly ManifestJob[];
  readonly dir: string;
  /** Of the pools that jobs take of. */
  readonly capacities: Readonly<Record<string, number>>;
  /** Where they are declared. */
  readonly poolsFile: string;
  /** What `fl` needs to be told to find the ledger, such as `--data my-ledger`; empty: nothing. */
  readonly flOptions: string;
  readonly engine: string;
  readonly endpointUrl: string;
  /** Absent: without the console. */
  readonly consoleUrl?: string;
  readonly instances: number;
  readonly chaosSeed?: number;
  readonly readyMs: number;
  readonly now: number;
}

/** What a person sees first: where things are, and when each job is due next, in its own time. */
export function headerText(header: Header, look: Look): string {
  const { colors } = look;
  const facts = [
    ['ledger', `${header.dir} (${header.engine})`],
    ...(header.consoleUrl === undefined ? [] : [['console', header.consoleUrl]]),
    ['AWS endpoint', header.endpointUrl],
    ...poolsFact(header),
    ...(header.instances > 1
      ? [['schedulers', `${header.instances}: every fire is delivered ${header.instances} times`]]
      : []),
    ...(header.chaosSeed === undefined ? [] : [['chaos', `seed ${header.chaosSeed}`]]),
  ];
  const rows = header.jobs.map((job) => ({ cells: jobCells(job, header.now) }));
  return [
    `${colors.bold('fireledger')} ready in ${spanText(header.readyMs)}`,
    ...facts.map(([name = '', fact]) => `  ${colors.dim(name.padEnd(12))}  ${fact}`),
    '',
    tableText(['JOB', 'WHEN', 'ZONE', 'NEXT FIRE', 'IN'], rows, { look, wraps: ['WHEN'] }),
    '',
    colors.dim(`Ctrl-C stops. In another terminal: ${`npm run -s fl -- runs ${header.flOptions}`.trim()}`),
    '',
  ].join('\n');
}

function poolsFact({ capacities, poolsFile }: Header): string[][] {
  const pools = Object.entries(capacities).map(([name, capacity]) => `${oneLine(name)} ${capacity}`);
  return pools.length === 0 ? [] : [['pools', `${pools.join(', ')} (${poolsFile})`]];
}

function jobCells(job: ManifestJob, now: number): string[] {
  const next = timetable(job.spec).next(now);
  const { timezone } = job.spec;
  const when = next === null ? ['never', ''] : [shortWallText(next, timezone, now), spanText(next - now)];
  return [job.id, inWords(job.spec), timezone, ...when];
}

/**
 * A line for an event, or null for what a person needn't see; it begins with the time on this machine's wall. `run`: the
 * record that the event is about.
 */
export function eventLine(
  event: CloudEvent,
  { run, job, look, width }: { run: Run | null; job: ManifestJob | undefined; look: Look; width: number },
): string | null {
  const { colors } = look;
  const stamp = colors.dim(new Date(event.at).toTimeString().slice(0, 8));
  switch (event.kind) {
    case 'handled': {
      const { mark, text } = handledWords(event.handled, {
        run,
        at: event.at,
        tookMs: event.at - event.startedAt,
      });
      const fire = fireText({ at: event.at, ...event.handled }, job);
      return `${stamp} ${tinted(mark, look)} ${event.jobId.padEnd(width)}  ${fire}  ${tint(mark, look)(text)}`;
    }
    case 'duplicates': {
      const text = `${counted(event.count, 'duplicate')} refused`;
      return `${stamp} ${colors.dim('=')} ${event.jobId.padEnd(width)}  ${fireText(event, job)}  ${colors.dim(text)}`;
    }
    case 'swept': {
      const text = sweepWords(event.counts);
      return text === null ? null : `${stamp} ${colors.yellow('↻')} ${'reconciler'.padEnd(width)}  ${text}`;
    }
    case 'died': {
      const text = colors.red(deathWords(event.error));
      return `${stamp} ${colors.red('☠')} ${(event.jobId ?? 'reconciler').padEnd(width)}  ${text}`;
    }
    case 'chaos': {
      const fire = event.run === undefined ? '' : `${fireText({ at: event.at, run: event.run }, job)}  `;
      const who = (event.jobId ?? 'reconciler').padEnd(width);
      return `${stamp} ${colors.magenta('~')} ${who}  ${fire}${colors.dim(strikeText(event))}`;
    }
    case 'log':
      return logLine(event, { stamp, look, width });
    case 'letter':
      return `${stamp} ${letterText(event.text, look)}`;
    case 'notice':
      return `${stamp} ${colors.yellow('!')} ${oneLine(event.text)}`;
  }
}

/** What happened, and below it the commands that a letter ends with. */
function letterText(text: string, { colors }: Look): string {
  const [headline = '', ...lines] = text.split('\n');
  const commands = lines.filter((line) => line.startsWith('  npm run '));
  const indented = commands.map((command) => `${' '.repeat(12)}${colors.bold(oneLine(command))}`);
  return [`${colors.red('!!')} ${colors.bold(oneLine(headline))}`, ...indented].join('\n');
}

/** A process that died may have had a run; a handler that failed outside of job code has told why in the log. */
function deathWords(error: string): string {
  const hasDied = error.startsWith('Runtime.') || error.startsWith('Sandbox.');
  return `${oneLine(error.replace(requestPrefix, ''))}${hasDied ? '; its run is suspected dead until its lease ends' : ''}`;
}

/** Of use in Lambda's log, where lines of several requests stand. */
const requestPrefix = /RequestId: \S+ Error: /;

type Mark = '✓' | '✗' | '=' | '-' | '?' | '…';

function tint(mark: Mark, { colors }: Look): (text: string) => string {
  if (mark === '✓') return (text) => text;
  return mark === '✗' ? colors.red : colors.dim;
}

function tinted(mark: Mark, look: Look): string {
  return mark === '✓' ? look.colors.green(mark) : tint(mark, look)(mark);
}

const outcomes: Readonly<Record<Handled['outcome'], { mark: Mark; text: string }>> = {
  succeeded: { mark: '✓', text: 'ran' },
  failed: { mark: '✗', text: 'failed' },
  'timed-out': { mark: '✗', text: 'timed out' },
  canceled: { mark: '-', text: 'canceled' },
  continued: { mark: '…', text: 'goes on' },
  uncertain: { mark: '✗', text: 'parked: nobody knows whether a step was done' },
  lost: { mark: '✗', text: 'ended after its lease: its outcome does not count' },
  duplicate: { mark: '=', text: 'duplicate refused' },
  skipped: { mark: '-', text: 'skipped' },
  waiting: { mark: '…', text: 'waits' },
  stray: { mark: '?', text: 'stray: no fire of its schedule, or out of its time' },
  'offer-gone': { mark: '=', text: 'its offer was taken already' },
  conflict: { mark: '…', text: 'gave way to another transaction; the reconciler looks again' },
};

const hasRun: ReadonlySet<Handled['outcome']> = new Set(['succeeded', 'failed', 'timed-out', 'canceled']);

function handledWords(
  { outcome }: Handled,
  { run, at, tookMs }: { run: Run | null; at: number; tookMs: number },
): { mark: Mark; text: string } {
  const { mark, text } = outcomes[outcome];
  const ran = hasRun.has(outcome);
  const details = [
    ran ? `in ${spanText(tookMs)}` : '',
    ran && run ? whyItRan(run) : '',
    outcome === 'skipped' && run?.reason ? `(${run.reason})` : '',
    outcome === 'waiting' ? whatItWaitsFor(run) : '',
  ];
  const because = run?.error && ran ? `: ${oneLine(`${run.error.name}: ${run.error.message}`)}` : '';
  const again = run !== null && ran ? triedAgain(run, at) : '';
  return { mark, text: `${[text, ...details].filter((part) => part !== '').join(' ')}${because}${again}` };
}

function triedAgain({ state, attentionAt }: Run, now: number): string {
  if (state !== 'retrying' || attentionAt === undefined) return '';
  return `; tried again in ${spanText(attentionAt - now)}`;
}

function whatItWaitsFor(run: Run | null): string {
  const pools = Object.keys(run?.waitsFor ?? {});
  return pools.length === 0 ? 'for the run before it' : `for ${pools.join(', ')}`;
}

function whyItRan(run: Run): string {
  const covers = run.covers?.length ? `, stands for ${counted(run.covers.length, 'older fire')}` : '';
  const made = run.trigger === 'backfill' ? `made up for a missed fire${covers}` : '';
  const why = run.requested === undefined ? made : `as ${oneLine(run.requested.by)} asked${covers}`;
  const tries = run.attempts.filter(({ outcome }) => outcome !== 'continued').length;
  const again = tries > 1 ? `attempt ${tries}` : '';
  const far = run.hops === undefined ? '' : `after ${counted(run.hops, 'hop')}`;
  const parts = [why, again, far].filter((part) => part !== '');
  return parts.length === 0 ? '' : `(${parts.join(', ')})`;
}

/** The due instant in the job's own time; blank where there was none. */
function fireText(
  { at, run }: { readonly at: number; readonly run?: string },
  job: ManifestJob | undefined,
): string {
  const ref = run === undefined ? null : parseRunId(run);
  const fireTime = ref && fireTimeOf(ref.key);
  if (fireTime === null || job === undefined) return ' '.repeat(5);
  return shortWallText(fireTime, job.spec.timezone, at);
}

/** Null for a sweep that had nothing to do. */
function sweepWords(counts: SweepCounts): string | null {
  const parts = [
    counts.waiting && `${counted(counts.waiting, 'missed fire')} to be made up`,
    counts.missed && `${counted(counts.missed, 'missed fire')} recorded`,
    counts.skipped && `${counted(counts.skipped, 'fire')} skipped`,
    counts.offered && `${counted(counts.offered, 'fire')} offered`,
    counts.admitted && `${counted(counts.admitted, 'waiting run')} started`,
    counts.reoffered && `${counted(counts.reoffered, 'offer')} made anew`,
    counts.crashed && `${counted(counts.crashed, 'attempt')} crashed: the lease ended`,
    counts.failed && `${counted(counts.failed, 'run')} failed`,
    counts.parked && `${counts.parked} parked for a person: fl release`,
    counts.gap && `${counted(counts.gap, 'fire')} without a record`,
  ].filter((part) => part !== 0);
  return parts.length === 0 ? null : parts.join(', ');
}

/** What the reconciler warns of shows in its sweep's line. */
function logLine(
  event: Extract<CloudEvent, { kind: 'log' }>,
  { stamp, look, width }: { stamp: string; look: Look; width: number },
): string | null {
  const who = (event.jobId ?? 'reconciler').padEnd(width);
  const said = logText(event.line);
  if (said === null || (event.jobId === undefined && said.level === 'warn')) return null;
  const { colors } = look;
  if (said.level === 'plain') return `${stamp} ${colors.dim('│')} ${who}  ${said.text}`;
  const color = said.level === 'error' ? colors.red : colors.yellow;
  return `${stamp} ${color('!')} ${who}  ${color(said.text)}`;
}

/** What Ctrl-C says while something runs. */
export function waitingText(busy: readonly string[], patienceMs: number): string {
  return `\nWaiting up to ${spanText(patienceMs)} for ${busy.join(', ')}. Ctrl-C again stops at once.`;
}

/** What a second Ctrl-C says of what it cuts short. */
export function cutShortText(busy: readonly string[]): string {
  if (busy.length === 0)
    return '\nStopped at once. Nothing was running; `fl audit` tells whether every fire has its record.';
  return `\nStopped at once, half-way: ${busy.join(', ')}. Each such run is settled when its lease ends, by the next start.`;
}

/** What a person sees last: whether every fire has its record, and what is left to the next start of a ledger that is `kept`. */
export function farewell(
  audit: FinalAudit,
  { left, kept, look, chaos }: { left: readonly string[]; kept: boolean; look: Look; chaos?: ChaosReport },
): string {
  const refused = `${counted(audit.duplicates, 'duplicate')} refused, ${counted(audit.strays, 'stray')}.`;
  const open = openStates.reduce((sum, state) => sum + audit.states[state], 0);
  const next = kept ? ': the next start goes on with that' : '';
  const still = open === 0 ? '' : ` ${counted(open, 'run')} still open${next}.`;
  const cut = left.length === 0 ? '' : ` Stopped half-way: ${left.join(', ')}.`;
  const struck = chaos === undefined ? '' : `\n${chaosText(chaos)}`;
  return `\n${verdictText(audit, look)}${undecidedText(audit)} ${refused}${still}${cut}${struck}`;
}

function verdictText(audit: FinalAudit, { colors }: Look): string {
  const due = `${counted(audit.expected, 'fire')} due${besidesWords(audit)}${statesWords(audit)}.`;
  const lost = audit.expected - audit.recorded;
  if (!isClean(audit))
    return colors.red(
      `${counted(lost, 'fire')} without a record, ${counted(audit.doubleRuns, 'fire')} that ran twice; ${due}`,
    );
  if (audit.expected === 0 && audit.undecided.length > 0) return 'No fire can be judged yet.';
  return colors.green(`Every fire is accounted for: ${due}`);
}

/** It is no loss yet, and no success. */
function undecidedText({ undecided: { length } }: FinalAudit): string {
  if (length === 0) return '';
  return ` Besides, ${counted(length, 'fire')} without a record may still be made up for, and ${length === 1 ? "isn't" : "aren't"} judged.`;
}

/** `, and 11 runs that persons asked for`: they are among the states, and no fires of a schedule. */
function besidesWords({ recorded, manual, states }: Audit): string {
  const notDue = sumOf(states) - recorded - manual;
  const parts = [
    manual > 0 && `, and ${counted(manual, 'run')} that persons asked for`,
    notDue > 0 && `, and ${counted(notDue, 'run')} that ${notDue === 1 ? 'was' : 'were'} not due`,
  ];
  return parts.filter((part) => part !== false).join('');
}

function sumOf(states: Audit['states']): number {
  return Object.values(states).reduce((sum, count) => sum + count, 0);
}

/** ` (25 succeeded, 8 failed)`: what became of all of them; accounted for isn't succeeded. */
function statesWords({ states }: Audit): string {
  const counts = [...terminalStates, ...openStates].filter((state) => states[state] > 0);
  if (counts.length === 0) return '';
  return ` (${counts.map((state) => `${states[state].toLocaleString('en-US')} ${state}`).join(', ')})`;
}
