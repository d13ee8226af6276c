import type { Change, Forecast, Suggestion } from '../../domain/forecast/index.ts';
import { formatDuration } from '../../domain/schedule/index.ts';
import type { Shown } from './forecast-text.ts';
import { counted } from './text.ts';
import { spanText, wallText } from './times.ts';
import { wrapped } from './wrapped.ts';

const mostListed = 8;

/** What to do about jobs that wait for each other. */
export function adviceLines(
  suggestion: Suggestion,
  { pools }: Forecast,
  { timezone, look }: Shown,
): string[] {
  const { changes, before, after, cut } = suggestion;
  const capacities = pools
    .filter(({ name, enough }) => enough !== null && suggestion.pools.includes(name))
    .map(({ name, enough }) => `${enough} of ${name}`);
  const enough = capacities.length > 0 ? `nobody would wait with ${capacities.join(' and ')}` : null;
  if (changes.length === 0) return wrapped(noneText(suggestion, enough), look.width, '', '  ');
  const lines = changes.slice(0, mostListed).map((change) => changeText(change, timezone));
  const more = changes.length - mostListed;
  if (more > 0) lines.push(`and the same for ${counted(more, 'more job')} (--json names them)`);
  if (enough !== null) lines.push(`or leave the times: ${enough}`);
  if (cut) lines.push('there was more to try than could be; name a --pool');
  return [
    ...wrapped(`${look.colors.green('try')} ${saves(before, after)}:`, look.width, '', '  '),
    ...lines.flatMap((line) => wrapped(line, look.width, '  ', '    ')),
  ];
}

function saves(before: Suggestion['before'], after: Suggestion['after']): string {
  const was = `${counted(before.waits, 'wait')} of ${spanText(before.waitMs)} in all`;
  if (after.waitMs === 0) return `this, and nobody waits any more (now: ${was})`;
  return `this: ${was} become ${counted(after.waits, 'wait')} of ${spanText(after.waitMs)}, ${spanText(after.longestWaitMs)} at most`;
}

/** `spread: '20 minutes' on billing/send-invoices: due at 03:07 instead of 03:00` */
function changeText({ job, withinMs, firstFire, presentMs, offsetMs }: Change, timezone: string): string {
  const was = wallText(firstFire, timezone);
  const is = wallText(firstFire - presentMs + offsetMs, timezone);
  const [from, to] = was.slice(0, 10) === is.slice(0, 10) ? [was.slice(11), is.slice(11)] : [was, is];
  return `spread: '${formatDuration(withinMs)}' on ${job}: due at ${to} instead of ${from}`;
}

function noneText({ pools, cut, before, tooSmall }: Suggestion, enough: string | null): string {
  const waits = `${counted(before.waits, 'wait')}, ${spanText(before.waitMs)} in all`;
  const others = 'raise the capacity, lower the weights, or make the jobs faster';
  if (tooSmall.length > 0)
    return `${tooSmall.join(' and ')}: busy nearly all the time, so that no spread can help (${waits}); ${others}`;
  const tried = cut ? 'no spread that could be tried' : 'no spread up to an hour';
  return `${tried} takes half of the waits for ${pools.join(', ')} (${waits}); ${enough ?? others}`;
}
