import type { Backfill, BackfillRange } from '../../domain/backfill.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { type Look, stateText } from './look.ts';
import { tableText } from './table.ts';
import { counted } from './text.ts';
import { localText, wallText } from './times.ts';

/** So many fires are named at each end of a long list. */
const namedAtEachEnd = 5;

/** Which fires a backfill makes up, in their order, and which it leaves as they are. `rate`: a slower pace than its job's own. */
export function backfillText(
  { fires, left }: Backfill,
  {
    job,
    range,
    rate,
    look,
  }: { job: ManifestJob; range: BackfillRange; rate?: number | undefined; look: Look },
): string {
  const { timezone } = job.spec;
  const within = `due from ${wallText(range.from, timezone)} to ${localText(range.to, timezone)}`;
  const perMinute = Math.min(rate ?? Number.POSITIVE_INFINITY, job.missed.ratePerMinute);
  const asTheyAre = Object.entries(left).map(([state, count]) => `${count} ${state}`);
  const others = asTheyAre.length === 0 ? '' : ` Left as they are: ${asTheyAre.join(', ')}.`;
  if (fires.length === 0) return `There is nothing to make up of ${job.id}, ${within}.${others}\n`;
  const rows = fires.map(({ fireTime, run }) => ({
    cells: [localText(fireTime, timezone), run === undefined ? 'no record' : stateText(run.state, look)],
  }));
  const cut = rows.length - 2 * namedAtEachEnd;
  const shown =
    cut > 1
      ? [...rows.slice(0, namedAtEachEnd), { cells: [`… ${cut} more`, ''] }, ...rows.slice(-namedAtEachEnd)]
      : rows;
  return `${counted(fires.length, 'fire')} of ${job.id} to make up, ${within}; at most ${perMinute} a minute.${others}\n\n${tableText(['DUE', 'IS'], shown, { look })}\n`;
}
