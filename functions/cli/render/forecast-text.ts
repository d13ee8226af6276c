import type { Forecast, Peak, PoolForecast } from '../../domain/forecast/index.ts';
import { day } from '../../domain/time.ts';
import type { EndedOtherwise, Past } from '../past-runs.ts';
import { dayStrips, percent, stripLegend } from './day-strips.ts';
import { adviceLines } from './forecast-advice.ts';
import { overlapLines } from './forecast-overlaps.ts';
import type { Look } from './look.ts';
import { tableText } from './table.ts';
import { counted, named, oneLine } from './text.ts';
import { localText, spanText, wallText } from './times.ts';
import { wrapped } from './wrapped.ts';

/** A forecast, and what it was made of. */
export interface Foreseen {
  readonly forecast: Forecast;
  /** By job. */
  readonly past: ReadonlyMap<string, Past>;
  /** In which times are shown. */
  readonly timezone: string;
  /** Left out, since they don't run. */
  readonly paused: readonly string[];
  /** How many jobs were looked at. */
  readonly jobs: number;
}

export interface Shown {
  readonly timezone: string;
  readonly look: Look;
}

const mostCollisions = 10;
const mostMeetings = 5;
const mostNamed = 4;

export function forecastText(foreseen: Foreseen, look: Look): string {
  const { forecast, timezone } = foreseen;
  const shown = { timezone, look };
  const sections = [
    heading(foreseen, look),
    ...forecast.pools.map((pool) => poolLines(pool, forecast.from, shown)),
    forecast.pools.length > 0 ? wrapped(stripLegend, look.width, '').map(look.colors.dim) : [],
    ...forecast.suggestions.map((suggestion) => adviceLines(suggestion, forecast, shown)),
    forecast.neverAdmitted.map(
      ({ job, pool, weight, capacity }) =>
        `${look.colors.red('never runs')} ${job}: it needs ${weight} of ${pool}, which has ${capacity}. Raise the capacity or lower the weight`,
    ),
    overlapLines(forecast.overlaps, look),
    guessLines(foreseen, look),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function heading({ forecast, timezone, jobs, paused }: Foreseen, look: Look): string[] {
  const { from, to, until, pools } = forecast;
  const cut = forecast.jobs.filter((job) => job.until < until).length;
  const foreseen = `${Math.round(((until - from) / day) * 10) / 10} of ${Math.round((to - from) / day)} days`;
  const what = `${counted(jobs, 'job')}, ${counted(pools.length, 'pool')}, ${localText(from, timezone)} to ${localText(until, timezone)}`;
  return [
    look.colors.bold(what),
    ...(until < to ? [`only ${foreseen} are foreseen: more fires than can be played; name a --pool`] : []),
    ...(cut > 0 ? [`of ${counted(cut, 'job')} even less: too many wait; see foreseenUntil in --json`] : []),
    ...(paused.length > 0 ? wrapped(`left out, since paused: ${paused.join(', ')}`, look.width, '') : []),
    ...(pools.length === 0 ? ['No pools are declared, so no run waits for another job’s.'] : []),
  ];
}

function poolLines(pool: PoolForecast, from: number, shown: Shown): string[] {
  const { look } = shown;
  const lines = [
    ...wrapped(poolTitle(pool, look), look.width, '', '  '),
    ...dayStrips(pool, { from, ...shown }),
  ];
  if (pool.peakCount > 0) lines.push('', peaksText(pool, shown));
  if (pool.collisions.length > 0) lines.push('', collisionsText(pool, look));
  return lines;
}

function poolTitle(pool: PoolForecast, { colors }: Look): string {
  const facts = `capacity ${pool.capacity}, ${percent(pool.use)} used`;
  const name = colors.bold(oneLine(pool.name));
  if (pool.peakCount === 0) return `${name}  ${facts}, ${colors.green('never over capacity')}`;
  const over = colors.red(`over capacity ${counted(pool.peakCount, 'time')}`);
  const waits = `${counted(pool.waits, 'run')} wait${pool.waits === 1 ? 's' : ''} for it, ${spanText(pool.waitMs)} in all, the longest ${spanText(pool.longestWaitMs)}`;
  return `${name}  ${facts}, ${over}, ${spanText(pool.overMs)} in all; ${waits}`;
}

/** Which jobs meet, how often, and how bad it gets; the most often first. */
function peaksText({ peaks, peakCount, capacity }: PoolForecast, { timezone, look }: Shown): string {
  const worst = [...meetings(peaks)].sort((a, b) => b.length - a.length).slice(0, mostMeetings);
  const rows = worst.map((times) => ({
    cells: [
      named(times[0]?.jobs ?? [], mostNamed),
      times.length.toLocaleString('en-US'),
      wallText(times[0]?.from ?? 0, timezone),
      spanText(Math.max(...times.map(({ from, to }) => to - from))),
      look.colors.red(`${Math.max(...times.map(({ demand }) => demand))} of ${capacity}`),
    ],
  }));
  const shown = worst.reduce((sum, times) => sum + times.length, 0);
  const notes = [
    moreTimes(peaks.length - shown, 'in other company'),
    moreTimes(peakCount - peaks.length, `after ${wallText(peaks.at(-1)?.to ?? 0, timezone)}`),
  ].filter((note) => note !== '');
  const note = notes.length > 0 ? [{ cells: [], note: notes.join(', ') }] : [];
  const head = ['TOGETHER', 'TIMES', 'FIRST', 'AT MOST FOR', 'NEEDED'];
  return tableText(head, [...rows, ...note], { look, wraps: ['TOGETHER'] });
}

function moreTimes(count: number, when: string): string {
  return count > 0 ? `and ${counted(count, 'time')} ${when}` : '';
}

/** The peaks of the same jobs together. */
function meetings(peaks: readonly Peak[]): Iterable<readonly Peak[]> {
  const byJobs = new Map<string, Peak[]>();
  for (const peak of peaks) {
    const who = peak.jobs.join(' ');
    const others = byJobs.get(who);
    if (others === undefined) byJobs.set(who, [peak]);
    else others.push(peak);
  }
  return byJobs.values();
}

function collisionsText({ collisions }: PoolForecast, look: Look): string {
  const rows = collisions
    .slice(0, mostCollisions)
    .map(({ job, times, typicalWaitMs, longestWaitMs, behind }) => ({
      cells: [
        look.colors.bold(job),
        times.toLocaleString('en-US'),
        spanText(typicalWaitMs),
        spanText(longestWaitMs),
        named(
          behind.map((other) => `${other.job} (${other.times})`),
          mostNamed,
        ),
      ],
    }));
  const more = collisions.length - rows.length;
  const note = more > 0 ? [{ cells: [], note: `and ${counted(more, 'more job')}` }] : [];
  return tableText(['WAITS', 'TIMES', 'TYPICALLY', 'LONGEST', 'BEHIND'], [...rows, ...note], {
    look,
    wraps: ['BEHIND'],
  });
}

/** Who reads it must know what of it is a guess. */
function guessLines({ forecast, past }: Foreseen, look: Look): string[] {
  const guessed = forecast.jobs
    .filter(({ samples }) => samples === 0)
    .map(({ id }) => `${id}${otherwiseText(past.get(id)?.endedOtherwise ?? {})}`);
  if (guessed.length === 0) return [];
  return wrapped(
    `${look.colors.yellow('a guess')}: no success is recorded of ${named(guessed, mostNamed)}, so each run is taken to last its whole timeout`,
    look.width,
    '',
    '  ',
  );
}

/** ` (8 canceled, 2 timed out)` */
function otherwiseText(endedOtherwise: EndedOtherwise): string {
  const counts = Object.entries(endedOtherwise).map(
    ([outcome, count]) => `${count} ${outcome.replace('-', ' ')}`,
  );
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}
