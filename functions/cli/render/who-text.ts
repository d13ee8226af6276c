import type { Occupancy } from '../../domain/contention/occupancy.ts';
import type { Span } from '../../domain/contention/span.ts';
import type { Look } from './look.ts';
import { counted, oneLine } from './text.ts';
import { localText } from './times.ts';
import { pictureText } from './who-picture.ts';
import { rowsText } from './who-table.ts';
import { wrapped } from './wrapped.ts';

/** Who had, used and waited for what. */
export interface Who {
  readonly pool?: string;
  /** As it is now. Absent: there is no such pool; jobs only meter something under that name. */
  readonly capacity?: number;
  readonly range: Span;
  /** What they are sorted by. */
  readonly by: string;
  readonly rows: readonly Occupancy[];
  /** What is metered under the pool's name. */
  readonly units: readonly string[];
  readonly timezone: string;
  readonly now: number;
}

/** A table of who had and used how much, and below it a picture of when. */
export function whoText(who: Who, look: Look): string {
  const { rows } = who;
  const heading = wrapped(headingOf(who), look.width, '').join('\n');
  if (rows.length === 0) return heading;
  return [look.colors.bold(heading), rowsText(who, look), pictureText(who, look)].join('\n\n');
}

function headingOf({ pool, capacity, range, timezone, rows }: Who): string {
  const time = `${localText(range.from, timezone)} to ${localText(range.until, timezone)}`;
  if (pool === undefined) return rows.length > 0 ? `All runs, ${time}` : `Nothing ran from ${time}.`;
  const name = oneLine(pool);
  if (rows.length === 0) return `Nobody held, used or waited for ${name} from ${time}.`;
  return `${name}${capacity === undefined ? ' (metered; not a pool)' : `, ${counted(capacity, 'unit')}`}, ${time}`;
}
