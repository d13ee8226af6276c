import type { Iso } from '../../data.ts';
import { ownZone, wallOf, wallText } from './wall.ts';

interface MomentProps {
  readonly at: Iso | null;
  /** The job's, told with its offset; without, it is on the wall of whoever looks. */
  readonly timezone?: string;
}

/** An instant; its title tells it in UTC and on the wall of whoever looks. */
export function Moment({ at, timezone }: MomentProps) {
  if (at === null) return <span class="faint">–</span>;
  const own = ownZone();
  const instant = Date.parse(at);
  return (
    <time dateTime={at} title={`${wallText(instant, 'UTC')}; ${wallText(instant, own)} ${own}`}>
      {timezone === undefined ? nearText(instant, own) : <Placed instant={instant} timezone={timezone} />}
    </time>
  );
}

function Placed({ instant, timezone }: { readonly instant: number; readonly timezone: string }) {
  const { date, time, offset } = wallOf(instant, timezone);
  return (
    <>
      {date} {time.replace(/:00$/, '')} <span class="faint">{offset}</span>
    </>
  );
}

/** Without its date today, without its year on another day. */
function nearText(instant: number, own: string): string {
  const { date, time } = wallOf(instant, own);
  return date === wallOf(Date.now(), own).date ? time : `${date.slice(5)} ${time}`;
}
