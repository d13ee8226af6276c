import { oneLine } from '../../cli/render/text.ts';
import type { Span } from '../../domain/contention/span.ts';
import { day, fromIso } from '../../domain/time.ts';
import { AskedWrongly } from './view.ts';

/** So long a range is answered at once. */
const mostDays = 400;

/**
 * The range that `from` and `to` say, as ISO texts.
 *
 * @throws AskedWrongly where they can't be read, or it is empty or too long
 */
export function rangeOf(query: URLSearchParams, usual: Span): Span {
  const range = { from: instantOf(query, 'from', usual.from), until: instantOf(query, 'to', usual.until) };
  if (range.from >= range.until) throw new AskedWrongly('from is not before to');
  if (range.until - range.from > mostDays * day)
    throw new AskedWrongly(`a range has at most ${mostDays} days`);
  return range;
}

function instantOf(query: URLSearchParams, name: string, usual: number): number {
  const text = query.get(name);
  return text === null ? usual : readInstant(text, name);
}

/** @throws AskedWrongly for what is no ISO text with a zone */
export function readInstant(text: string, name: string): number {
  const instant = fromIso(text);
  if (instant === null)
    throw new AskedWrongly(
      `${name}: "${oneLine(text.slice(0, 40))}" is not a time; write 2026-12-01T03:00:00Z`,
    );
  return instant;
}
