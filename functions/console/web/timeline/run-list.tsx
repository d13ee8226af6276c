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
  return (
    <>
      <p>
        {all.length} runs are in view
        {all.length > shown.length ? `; ${shown.length} are listed: zoom in for the others` : ''}.
      </p>
      <table class="timeline-list">
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">State</th>
            <th scope="col">Began</th>
            <th scope="col">Took</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((found) => (
            <tr key={`${found.jobId}#${found.key}`}>
              <td>
                <a href={routeOf(found)}>
                  {found.jobId} {found.key}
                </a>
              </td>
              <td>{found.state}</td>
              <td>{instantText(found.start)}</td>
              <td>{found.end > found.start ? lengthText(found.end - found.start) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
