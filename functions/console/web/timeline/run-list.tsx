import { Headings } from '../parts/headings.tsx';
import { foundWithin } from './hit.ts';
import type { PackedLane } from './packed.ts';
import type { TimeView } from './time-view.ts';
import { instantText, lengthText, routeOf } from './words.ts';

const mostRows = 200;

/** What the canvas shows, for those who don't see it or want to read: what went wrong first. */
export function RunList({ lanes, view }: { lanes: readonly PackedLane[]; view: TimeView }) {
  const all = lanes.flatMap((lane) => foundWithin(lane, view.from, view.to));
  const isFine = (state: string) => state === 'succeeded';
  all.sort((a, b) => Number(isFine(a.state)) - Number(isFine(b.state)) || b.start - a.start);
  const shown = all.slice(0, mostRows);
  const count = all.reduce((sum, { runs }) => sum + runs, 0);
  const isWhole = shown.length === count;
  return (
    <>
      <p>
        {count} runs are in view{isWhole ? '' : '; not each has a line of its own: zoom in for the others'}.
      </p>
      <table class="timeline-list">
        <Headings of={['Run', 'State', 'Began', 'Took']} />
        <tbody>
          {shown.map((found) => (
            <tr key={`${found.jobId}#${found.key}`}>
              <td>
                <a href={routeOf(found)}>
                  {found.jobId} {found.key}
                </a>
              </td>
              <td>
                {found.runs === 1 ? found.state : `${found.state}, and ${found.runs - 1} more after it`}
              </td>
              <td>{instantText(found.start)}</td>
              <td>{found.end > found.start ? lengthText(found.end - found.start) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
