import type { Overlap } from '../../domain/forecast/index.ts';
import type { Look } from './look.ts';
import { counted } from './text.ts';
import { spanText } from './times.ts';
import { wrapped } from './wrapped.ts';

const mostListed = 10;

/** Jobs whose own runs are in the way of their fires, in sentences. */
export function overlapLines(overlaps: readonly Overlap[], look: Look): string[] {
  const lines = overlaps.slice(0, mostListed).flatMap((overlap) => {
    const where = overlap.isOfPools ? 'held up' : 'in its own way';
    const text = `${look.colors.yellow(where)} ${overlap.job}: ${overlapText(overlap)}`;
    return wrapped(text, look.width, '', '  ');
  });
  const more = overlaps.length - mostListed;
  return more > 0 ? [...lines, `and ${counted(more, 'more job')} (--json names them)`] : lines;
}

function overlapText(overlap: Overlap): string {
  const { periodMs, durationMs, samples, fires, endless, isOfPools } = overlap;
  const pace = `due every ${spanText(periodMs)} at the closest, and takes ${spanText(durationMs)}${samples === 0 ? ' (a guess)' : ''}`;
  const waits = `it waits for ${overlap.behindPools.join(', ')}`;
  const why = isOfPools
    ? `because ${waits}`
    : overlap.behindPools.length === 0
      ? pace
      : `${pace}; and ${waits}`;
  const fates = [
    fate(overlap.skipped, 'skipped'),
    fate(overlap.superseded, 'superseded'),
    fate(overlap.canceled, 'canceled'),
    fate(overlap.waitedTooLong, 'given up'),
    overlap.queued === 0
      ? ''
      : `${overlap.queued.toLocaleString('en-US')} wait for the run before, the longest of them ${spanText(overlap.longestQueuedMs)}`,
  ].filter((text) => text !== '');
  const verdict = endless && overlap.overlap !== 'skip' ? '; it never catches up' : '';
  return `${why}; of ${counted(fires, 'fire')} ${fates.join(', ')} (overlap: '${overlap.overlap}')${isOfPools ? `; it is ${pace}` : ''}${verdict}`;
}

function fate(count: number, what: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en-US')} ${what}`;
}
